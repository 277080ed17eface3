"""What some straps do of their own accord, again and again: they leave, they fall silent, they change their address.
Each recording stays one session of one strap."""

from __future__ import annotations

import time

from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.bonding import pair
from radio_lab.scenarios.recording import (
    await_stored,
    begin_recording,
    end_recording,
    expect_gaps_of_silences,
    expect_kept,
    expect_one_session,
)

REMOTE_USER = 0x13
LONGEST_WAIT_SECONDS = 60
LONGEST_RECOVERY_SECONDS = 15
# A gap ends with a beat, which the first value after it need not have.
LAST_SECONDS = 2.5
# Long enough that nothing ends while a recording does; too short for a link to count as well again.
LEAVES_AFTER_SECONDS, DEPARTURES = 6, 5
SILENT_AFTER_SECONDS, SILENCES = 5, 3
CHANGES = 4


def _departures(trial: Trial) -> None:
    """Each link is short, and the waits before the next one grow; still the strap is connected soon each time."""
    straps, excuses, seen = trial.lab.straps, [], 0.0
    recording = begin_recording(trial)
    for _ in range(DEPARTURES):
        left = straps.await_event("disconnected", seen, LEAVES_AFTER_SECONDS + 5).time
        over = straps.await_event("advertising", left, 10).time
        seen = recording.await_line("notification", LONGEST_WAIT_SECONDS, after=over).time
        excuses.append((left - 0.5, seen))
        trial.measure.recovery("strap that leaves again and again", await_stored(trial, over) - over)
    time.sleep(LAST_SECONDS)
    end_recording(trial, recording)
    _expect_recoveries(trial, DEPARTURES)
    _expect_gaps(trial, DEPARTURES)
    trial.expect.equal("reasons in the ledger", trial.lab.ledger().link_ends()[:-1], [REMOTE_USER] * DEPARTURES)
    expect_kept(trial, excuses)


def _silences(trial: Trial) -> None:
    """Counted from the last value before a silence to the first one after it. The link stays up, so no value may be
    lost."""
    straps, silences = trial.lab.straps, []
    recording = begin_recording(trial)
    subscribed = straps.events("subscribed")[0].time
    for _ in range(SILENCES):
        subscribed = straps.await_event("subscribed", subscribed, LONGEST_WAIT_SECONDS).time
        first = await_stored(trial, subscribed)
        last = max(entry.time for entry in trial.lab.ledger().notifications() if entry.time < first)
        silences.append((last, first))
        trial.measure.recovery("strap that falls silent again and again", first - last)
    # As many values as there are: by them late beats are told from lost ones.
    time.sleep(SILENT_AFTER_SECONDS - 0.5)
    end_recording(trial, recording)
    _expect_recoveries(trial, SILENCES)
    expect_gaps_of_silences(trial, silences)
    trial.expect.equal("links", len(trial.lab.ledger().link_ends()), 1)
    expect_kept(trial)


def _addresses(trial: Trial) -> None:
    """A bonded strap is recognised by its identity with any address."""
    straps, identity = trial.lab.straps, trial.lab.straps.identity()
    pair(trial, "--bond")
    excuses = [(0.0, time.monotonic())]
    recording = begin_recording(trial, "chest")
    for _ in range(CHANGES):
        time.sleep(2)
        begun = time.monotonic()
        straps.do("drop", reason=REMOTE_USER)
        over = straps.await_event("advertising", begun, 10).time
        line = recording.await_line("notification", LONGEST_WAIT_SECONDS, after=over)
        excuses.append((begun - 0.05, line.time))
        trial.measure.recovery("strap with another address", await_stored(trial, over) - over)
    time.sleep(LAST_SECONDS)
    end_recording(trial, recording)
    _expect_recoveries(trial, CHANGES)
    _expect_gaps(trial, CHANGES)
    used = [str(event.facts["address"]) for event in straps.events("advertising") if event.facts["on"]]
    trial.expect.at_least("addresses on the air", len(set(used)), CHANGES + 2)
    trial.expect.true("none of them is its identity", identity not in used, used)
    trial.expect.equal("known straps", trial.lab.ledger().straps(), [identity])
    trial.expect.equal("pairings", len(straps.events("paired")), 1)
    expect_kept(trial, excuses)


def _expect_recoveries(trial: Trial, count: int) -> None:
    """Expects a number of recoveries within the limit, in a single session."""
    for what, recoveries in trial.measure.recoveries.items():
        trial.expect.equal(f"recoveries ({what})", len(recoveries), count)
        trial.expect.at_most(f"seconds of the longest recovery ({what})", max(recoveries), LONGEST_RECOVERY_SECONDS)
    expect_one_session(trial)


def _expect_gaps(trial: Trial, count: int) -> None:
    """Expects a gap for each link that ended."""
    trial.expect.at_least("gaps", len(trial.lab.ledger().gaps()), count)


SCENARIOS = (
    Scenario(
        "strap-leaves-often", f"A strap ends each link after {LEAVES_AFTER_SECONDS} s, and is heard again each time.",
        _departures, 150, straps=("--behaviour", f"drop-after={LEAVES_AFTER_SECONDS}"),
    ),
    Scenario(
        "strap-silent-often", f"A strap falls silent {SILENT_AFTER_SECONDS} s after each subscription, on a link that "
        "stays.", _silences, 150, straps=("--behaviour", f"silent-after={SILENT_AFTER_SECONDS}"),
    ),
    Scenario(
        "strap-changes-address", "A bonded strap has another address after each link, and stays one strap.",
        _addresses, 150, straps=("--behaviour", "random-resolvable"),
    ),
)
