"""A thousand values a second, into a recording: none is lost, none is doubled."""

from __future__ import annotations

import time
from collections import Counter

from radio_lab.guest.failure import ScenarioFailure
from radio_lab.guest.service import cpu_seconds
from radio_lab.guest.waiting import wait_until
from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.recording import end_recording, expect_kept, expect_one_session

RATE = 1000
# What the strap has to reach in its fastest second in the full form, so that the scenario deserves its name. How much less
# it is in the mean, and on slow machines in the short form, is up to the machine: the strap waits while bluetoothd does not
# come to read.
LEAST_FASTEST = 950
SHORT_VALUES, FULL_VALUES = 8_000, 202_000


def _flood(trial: Trial) -> None:
    """Records without event output, because printing a thousand lines per second is another test."""
    lab = trial.lab
    recording = lab.tachogram.record_quietly()
    wait_until("the first value is stored", lambda: lab.ledger().count(), 30)
    programs = {
        "tachogram": recording.pid, "bluetoothd": lab.bluetooth.service.pid, "the strap": lab.straps.service.pid,
    }
    used = {name: cpu_seconds(pid) for name, pid in programs.items()}
    begun = time.monotonic()
    _await_sent(trial, lab.rounds(SHORT_VALUES, FULL_VALUES))
    seconds = time.monotonic() - begun
    # All of them share the guest's one processor.
    for name, pid in programs.items():
        trial.measure.figures[f"processor share of {name} %"] = round(100 * (cpu_seconds(pid) - used[name]) / seconds)
    end_recording(trial, recording)
    expect_one_session(trial)
    expect_kept(trial)
    _expect_flood(trial)


def _await_sent(trial: Trial, count: int) -> None:
    """Waits until the straps have sent a number of values; the time limit of the scenario applies."""
    while trial.lab.straps.state()["sent"] < count:
        trial.lab.bluetooth.service.check()
        if not trial.lab.straps.service.is_running:
            raise ScenarioFailure("the straps have ended")
        time.sleep(0.5)


def _expect_flood(trial: Trial) -> None:
    """Expects a rate, in whole seconds."""
    values = trial.lab.straps.values()
    by_second = Counter(int(value.time - values[0].time) for value in values)
    # The last second was not whole.
    whole = [by_second[second] for second in range(max(by_second))]
    trial.measure.figures["values a second, mean"] = round(sum(whole) / len(whole))
    trial.measure.figures["values in the fastest second"] = max(whole)
    if not trial.lab.short:
        trial.expect.at_least("values in the fastest second", max(whole), LEAST_FASTEST)
    trial.expect.at_least("values sent", len(values), trial.lab.rounds(SHORT_VALUES, FULL_VALUES))
    lost = trial.lab.ledger().link_ends()[:-1]
    trial.expect.equal("links that ended before the recording did", lost, [])


SCENARIOS = (
    Scenario(
        "flood", "Up to 1000 values a second: none lost, none doubled.", _flood, 480, 90,
        straps=("--play", "counter", "--behaviour", f"flood={RATE}"), is_watched=False,
    ),
)
