"""Bonds: made with and without a passkey, kept, and lost on either side."""

from __future__ import annotations

import time
from collections.abc import Callable

from radio_lab.guest.daemons import bus_call
from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.recording import (
    await_stored,
    begin_recording,
    end_recording,
    expect_kept,
    expect_one_session,
)

PASSKEY = "123456"
WRONG_PASSKEY = "654321"
# How soon straps are heard again after a bond was lost: several links are tried first.
LONGEST_REPAIR_SECONDS = 60
# A link that was up for ten seconds counts as well again; and a gap ends with a beat, which the first value after it
# need not have.
LIVE_SECONDS, LAST_SECONDS = 10.5, 2.5
LOSSES = (1, 6)


def pair(trial: Trial, *arguments: str) -> None:
    """Pairs a strap, and expects a bond on both sides."""
    begun = time.monotonic()
    address = trial.lab.straps.address()
    done = trial.lab.tachogram.run("pair", address, "--name", "chest", *arguments, seconds=45)
    trial.expect.equal("exit code of pair", (done.code, done.err if done.code else ""), (0, ""))
    trial.expect.contains("what pair says", done.out, "bonded")
    trial.expect.true("pair does not say that there is no bond", "not bonded" not in done.out, done.out)
    _expect_paired(trial, begun, is_protected="--passkey" in arguments)
    straps = trial.lab.tachogram.run("straps", "--format", "json").out
    trial.expect.contains("the known straps", straps, "chest")


def _expect_paired(trial: Trial, after: float, is_protected: bool) -> None:
    """Expects that the strap has a bond, with or without a passkey."""
    paired = trial.lab.straps.events("paired", after=after)
    trial.expect.true("the strap has paired", bool(paired), trial.lab.straps.events(after=after))
    trial.expect.equal("whether a passkey was used", {event.facts["protected"] for event in paired}, {is_protected})


def _just_works(trial: Trial) -> None:
    pair(trial, "--bond")
    _expect_bond_holds(trial)


def _required(trial: Trial) -> None:
    """The strap refuses the subscription until the link is encrypted; no bond was requested."""
    pair(trial)
    _expect_bond_holds(trial)


def _passkey(trial: Trial) -> None:
    pair(trial, "--bond", "--passkey", PASSKEY)
    _expect_bond_holds(trial)
    _forget_everywhere(trial)
    begun = time.monotonic()
    again = ["pair", trial.lab.straps.address(), "--bond", "--name", "again"]
    code, screen, is_asked = trial.lab.tachogram.run_at_terminal(again, "the passkey of", PASSKEY, 45)
    trial.expect.true("pair asks for the passkey", is_asked, screen)
    trial.expect.equal("exit code of pair, the passkey typed", code, 0)
    trial.expect.contains("what pair says, the passkey typed", screen, "bonded")
    _expect_paired(trial, begun, is_protected=True)


def _wrong_passkey(trial: Trial) -> None:
    """A single wrong passkey, because straps refuse pairing after several."""
    begun = time.monotonic()
    straps = trial.lab.straps
    wrong = trial.lab.tachogram.run("pair", straps.address(), "--bond", "--passkey", WRONG_PASSKEY, seconds=90)
    trial.expect.equal("exit code of pair with a wrong passkey", wrong.code, 1)
    trial.expect.equal("bonds with a wrong passkey", len(straps.events("paired", after=begun)), 0)
    trial.expect.at_least("attempts", len(straps.events("pairing_failed", after=begun)), 1)
    trial.expect.at_most("attempts with the same wrong passkey", len(straps.events("pairing_failed", after=begun)), 3)
    trial.expect.at_most("seconds until pair says so", time.monotonic() - begun, 30)


def _expect_bond_holds(trial: Trial) -> None:
    """Expects that a new link is encrypted with the existing bond, without pairing."""
    begun = time.monotonic()
    recording = begin_recording(trial)
    time.sleep(2)
    end_recording(trial, recording)
    straps = trial.lab.straps
    encrypted = straps.events("encrypted", after=begun)
    trial.expect.true("the next link is encrypted", bool(encrypted), straps.events(after=begun))
    trial.expect.equal("pairings on the next link", len(straps.events("paired", after=begun)), 0)


def _forget_everywhere(trial: Trial) -> None:
    _remove_device(trial)
    trial.lab.straps.do("forget")
    trial.lab.straps.do("silence", on=False)


def _remove_device(trial: Trial) -> None:
    path = "/org/bluez/hci0/dev_" + trial.lab.straps.address().replace(":", "_")
    done = bus_call("org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1", "RemoveDevice", path)
    trial.expect.equal("bluetoothd forgets the strap", (done.returncode, done.stderr), (0, ""))


def _lost_by_strap(trial: Trial) -> None:
    def lose() -> None:
        trial.lab.straps.do("forget")
        trial.lab.straps.do("drop")

    _lose(trial, "bond lost by the strap", lose)


def _lost_by_host(trial: Trial) -> None:
    _lose(trial, "bond lost by the host", lambda: _remove_device(trial))


def _lose(trial: Trial, fault: str, strike: Callable[[], None]) -> None:
    """A recording continues with a gap, each time that one side has lost its key."""
    pair(trial, "--bond", "--passkey", PASSKEY)
    straps, rounds = trial.lab.straps, trial.lab.rounds(*LOSSES)
    # What was sent before the recording belonged to `pair`.
    excuses = [(0.0, time.monotonic())]
    recording = begin_recording(trial, "--passkey", PASSKEY)
    for _ in range(rounds):
        time.sleep(LIVE_SECONDS)
        begun = time.monotonic()
        strike()
        over = straps.await_event("advertising", begun, 10).time
        line = recording.await_line("notification", LONGEST_REPAIR_SECONDS, after=over)
        trial.measure.recovery(fault, await_stored(trial, over) - over)
        _expect_paired(trial, over, is_protected=True)
        excuses.append((begun - 0.05, line.time))
    time.sleep(LAST_SECONDS)
    end_recording(trial, recording)
    expect_one_session(trial)
    ledger = trial.lab.ledger()
    trial.expect.at_least("links that ended", len(ledger.link_ends()), rounds + 1)
    # Each is shorter than its fault by the intervals that the strap had kept for the next link.
    down = [gap for gap in ledger.gaps() if gap.reason == "linkDown"]
    trial.expect.at_least("gaps", len(down), rounds)
    expect_kept(trial, excuses)


WITH_PASSKEY = ("--behaviour", f"passkey={PASSKEY}")

SCENARIOS = (
    Scenario("pair-just-works", "`pair` bonds without a passkey, and the bond holds.", _just_works, 120, 75),
    Scenario("pair-passkey", "`pair` bonds with a passkey, given or typed.", _passkey, 150, 90, straps=WITH_PASSKEY),
    Scenario("pair-wrong-passkey", "A wrong passkey is refused, and said so soon.", _wrong_passkey, 120,
             straps=WITH_PASSKEY),
    Scenario("pair-required", "`pair` bonds with a strap that notifies over encrypted links only.", _required, 120,
             straps=("--behaviour", "require-bonding")),
    Scenario("bond-lost-by-strap", "The strap forgets its bond while it is recorded.", _lost_by_strap, 300,
             straps=WITH_PASSKEY),
    Scenario("bond-lost-by-host", "bluetoothd forgets the bond while the strap is recorded.", _lost_by_host, 300,
             straps=WITH_PASSKEY),
)
