"""Parts of several scenarios: recordings that are begun, ended, and held against what the straps say they sent."""

from __future__ import annotations

import time
from collections.abc import Sequence

from radio_lab.guest.comparison import compare
from radio_lab.guest.silences import expect_gaps
from radio_lab.guest.tachogram import Running
from radio_lab.guest.waiting import wait_until
from radio_lab.scenario import Trial

# Ended by Ctrl-C, in order.
INTERRUPTED = 130
FIRST_NOTIFICATION_SECONDS = 20


def begin_recording(trial: Trial, *arguments: str) -> Running:
    """Starts `record`, and waits for the first notification."""
    recording = trial.lab.tachogram.record(*arguments)
    recording.await_line("notification", FIRST_NOTIFICATION_SECONDS)
    return recording


def end_recording(trial: Trial, recording: Running) -> None:
    """Ends the recording in order, without values in transit."""
    silence_straps(trial)
    code = recording.interrupt()
    how = f"exit code {code}: {recording.errors()[-300:]}"
    trial.expect.true("record ends in order on Ctrl-C", code in (0, INTERRUPTED), how)


def silence_straps(trial: Trial) -> None:
    """Silences all straps, and waits until their values have arrived."""
    for strap in trial.lab.straps.do("state")["straps"]:
        trial.lab.straps.do("silence", strap=strap["index"], on=True)
    time.sleep(0.7)


def await_stored(trial: Trial, after: float) -> float:
    """Returns the time of the first notification after a time, once it is stored."""

    def look() -> float | None:
        return next((entry.time for entry in trial.lab.ledger().notifications() if entry.time > after), None)

    return wait_until("what came after the fault is stored", look, 10)


def expect_kept(trial: Trial, excuses: Sequence[tuple[float, float]] = (), strap: int = 0) -> None:
    """Expects that the ledger contains the sent values, except those sent while a link ended."""
    kept = trial.lab.ledger().notifications(trial.lab.straps.identity(strap))
    compared = compare(trial.lab.straps.values(strap), kept, excuses)
    what = "what the strap sent is in the ledger, byte for byte, in order, once"
    trial.expect.true(what, compared.is_clean, compared.text())
    trial.expect.at_least("notifications in the ledger", compared.kept, 1)
    trial.measure.sent += compared.sent - len(compared.excused)
    trial.measure.lost += len(compared.lost)
    trial.measure.doubled += len(compared.doubled)


def expect_one_session(trial: Trial) -> None:
    """Expects one session, ended in order."""
    sessions = trial.lab.ledger().sessions()
    trial.expect.equal("sessions that ended in order", [session.is_complete for session in sessions], [True])


def expect_gaps_of_silences(trial: Trial, silences: Sequence[tuple[float, float]]) -> None:
    """Expects a gap in the ledger where the strap omitted beats after a silence, and nowhere else. `silences` are
    from the last value before to the first one after each."""
    expect_gaps(trial.expect, trial.lab.straps.events("left_out"), trial.lab.ledger().gaps(), silences)
