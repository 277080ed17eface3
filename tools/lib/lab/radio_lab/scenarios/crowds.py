"""More than one of something, and straps that ask for what they do not get."""

from __future__ import annotations

import time
from pathlib import Path

from radio_lab.guest.doctor import findings
from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.recording import begin_recording, end_recording, expect_kept, expect_one_session

MAIN_CONF = Path("/etc/bluetooth/main.conf")
UNKNOWN = 0x00
SPREAD_CHANCES = 3
# A latency that the supervision timeout does not allow is rejected by every kernel.
ASKING_TOO_MUCH = ("--behaviour", "ask-parameters=400/650/30/6000")
ASKING_LIKE_POLAR = ("--behaviour", "ask-parameters=312.5/500/0/6000")
# What `doctor` advises.
WIDE_PARAMETERS = "[LE]\nMinConnectionInterval=6\nMaxConnectionInterval=3200\nConnectionSupervisionTimeout=1000\n"


def _four_straps(trial: Trial) -> None:
    """A strap that one adapter alone has heard is connected there. On a busy machine this may happen to all four, so they have
    more than one chance to be spread."""
    straps, lab = trial.lab.straps, trial.lab
    addresses = [straps.address(index) for index in range(4)]
    both, used, recordings = {straps.adapter(0), straps.adapter(1)}, set(), 0
    while used != both and recordings < SPREAD_CHANCES:
        recordings += 1
        recording = lab.tachogram.record(*addresses)
        for address in addresses:
            recording.await_line("notification", 40, strap=address)
        time.sleep(lab.seconds(8, 40))
        end_recording(trial, recording)
        # Whom each strap calls its central is the adapter that it is connected to.
        centrals = [straps.events("connected", strap=index)[-1].facts["peer"] for index in range(4)]
        used = {str(central).split("/")[0] for central in centrals}
    trial.expect.equal(f"adapters with straps, at best of {recordings} recordings", used, both)
    sessions = lab.ledger().sessions()
    trial.expect.equal("sessions of each strap", sorted(s.strap for s in sessions), sorted(addresses * recordings))
    trial.expect.true("all sessions ended in order", all(s.is_complete for s in sessions), sessions)
    for index in range(4):
        expect_kept(trial, strap=index)
    for address in addresses:
        trial.expect.equal(f"links of {address}", len(lab.ledger().link_ends(address)), recordings)


def _scan_while_connected(trial: Trial) -> None:
    straps, lab = trial.lab.straps, trial.lab
    recording = begin_recording(trial, straps.address(0))
    time.sleep(1)
    for _ in range(lab.rounds(1, 3)):
        found = lab.tachogram.run("scan", "--duration", "4s", "--format", "json").json()["straps"]
        trial.expect.true("the scan finds the other strap", straps.address(1) in {s["address"] for s in found}, found)
    end_recording(trial, recording)
    expect_one_session(trial)
    expect_kept(trial)
    trial.expect.equal("links that ended", len(lab.ledger().link_ends()), 1)


def _rejected_parameters(trial: Trial) -> None:
    """The strap requests parameters that the kernel rejects, and disconnects (0x3b) each time. Recent kernels accept
    those of Polar straps with any setting of bluetoothd; older ones do not, so `doctor` warns about the defaults."""
    lab = trial.lab
    seen = findings(lab.tachogram)
    trial.expect.equal("doctor on default parameters", seen.get("connection.narrow"), "warning")
    recording = begin_recording(trial)
    begun, excuses = time.monotonic(), []
    for _ in range(2):
        left = lab.straps.await_event("disconnected", begun, 20).time
        begun = lab.straps.await_event("connected", left, 20).time
        line = recording.await_line("notification", 20, after=begun)
        excuses.append((left - 0.5, line.time))
    end_recording(trial, recording)
    expect_one_session(trial)
    # The kernel's management interface has no word for 0x3b, so the ledger says that the reason is unknown.
    trial.expect.equal("reasons in the ledger", lab.ledger().link_ends()[:2], [UNKNOWN] * 2)
    expect_kept(trial, excuses)
    refused = [event.facts["accepted"] for event in lab.straps.events("parameters")]
    trial.expect.equal("requests that the kernel accepted", refused[:2], [False, False])


def _advised_parameters(trial: Trial) -> None:
    """With the parameters that `doctor` advises, those of Polar straps are accepted, and they stay connected."""
    lab = trial.lab
    MAIN_CONF.write_text(WIDE_PARAMETERS)
    lab.bluetooth.stop()
    lab.bluetooth.start()
    lab.adapters.wait_powered()
    trial.expect.equal("doctor on the advised parameters", findings(lab.tachogram).get("connection.ready"), "ok")
    recording = begin_recording(trial)
    time.sleep(10)
    accepted = [event.facts["accepted"] for event in lab.straps.events("parameters")]
    trial.expect.equal("requests that the kernel accepted", accepted, [True])
    end_recording(trial, recording)
    trial.expect.equal("links", len(lab.ledger().link_ends()), 1)
    expect_kept(trial)


SCENARIOS = (
    Scenario(
        "scan-while-connected", "A scan beside a recording finds another strap and costs nothing.",
        _scan_while_connected, 90, straps=("--straps", "2"),
    ),
    Scenario(
        "four-straps-two-adapters", "Four straps at once, on two adapters.", _four_straps, 150, 80,
        straps=("--straps", "4", "--adapters", "2"),
    ),
    Scenario(
        "drops-on-rejected-parameters", "A strap leaves whenever its connection parameters are rejected.",
        _rejected_parameters, 120, straps=(*ASKING_TOO_MUCH, "--behaviour", "drop-on-rejected-parameters=3"),
    ),
    Scenario(
        "advised-parameters", "With the parameters that doctor advises a strap gets what it asks for, and stays.",
        _advised_parameters, 90, straps=ASKING_LIKE_POLAR,
    ),
)
