"""Acceleration beside the heart rate: started, lost with the link, started again, and stopped."""

from __future__ import annotations

import time

from radio_lab.guest.waiting import wait_until
from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.recording import begin_recording, end_recording, expect_kept, expect_one_session

ACCELERATION = 2
MEASURING = ("--behaviour", "measurements")
# A frame that is sent while a link ends may be lost with it.
TRANSIT = 0.5


def _movement(trial: Trial) -> None:
    """A strap that is not stopped stays on until its battery is empty: STOP is the first request of every link, and the
    last one of the recording."""
    straps, lab = trial.lab.straps, trial.lab
    recording = begin_recording(trial, "--accelerometer", straps.address())
    first = straps.await_event("stream_started", 0, 15)
    _await_frames(trial, first.time, 3)
    lost = time.monotonic()
    straps.do("drop")
    second = straps.await_event("stream_started", lost, 25)
    _await_frames(trial, second.time, lab.rounds(3, 20))
    began = time.monotonic()
    end_recording(trial, recording)
    stops = straps.events("stream_stopped", after=began)
    trial.expect.equal("streams that were stopped at the end", [stop.facts["was_running"] for stop in stops], [True])
    for start in (first, second):
        before = [stop for stop in straps.events("stream_stopped") if stop.time < start.time]
        trial.expect.true("STOP precedes the start on each link", bool(before), straps.events())
    ended = next(event.time for event in straps.events("disconnected"))
    sent = [event for event in straps.events("frame") if not ended - TRANSIT < event.time < ended]
    kept = [frame.value for frame in lab.ledger().frames()]
    missing = [event.facts["n"] for event in sent if event.facts["hex"] not in kept]
    trial.expect.equal("frames that were lost", missing, [])
    trial.expect.equal("frames that are stored twice", len(kept) - len(set(kept)), 0)
    everything = [event.facts["hex"] for event in straps.events("frame")]
    trial.expect.equal("frames in the order in which they were sent", kept, [one for one in everything if one in kept])
    trial.measure.figures["frames"] = len(kept)
    expect_one_session(trial)
    expect_kept(trial, [(ended - TRANSIT, second.time)])


def _await_frames(trial: Trial, after: float, count: int) -> None:
    straps = trial.lab.straps
    wait_until(
        f"{count} frames are sent", lambda: len(straps.events("frame", after=after)) >= count, 2 * count + 10)


SCENARIOS = (
    Scenario(
        "movement", "Acceleration is recorded beside the heart rate, across a lost link, and stopped at the end.",
        _movement, 150, 60, straps=MEASURING,
    ),
)
