"""Captures of the radio say the same as the ledger, and replay to the same."""

from __future__ import annotations

import time

from radio_lab.guest.capture import captured_notifications
from radio_lab.guest.ledger import Ledger
from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.recording import INTERRUPTED, begin_recording, end_recording, expect_kept

REMOTE_USER = 0x13
# Two links are enough for RMSSD, which takes 30 s of intervals; in full for stress levels, too.
SHORT_HRV_SECONDS = 17


def _record_two_links(trial: Trial, seconds: float) -> None:
    """A recording with a break in the middle; each of its two links lasts so long."""
    recording = begin_recording(trial)
    time.sleep(seconds)
    begun = time.monotonic()
    trial.lab.straps.do("drop", reason=REMOTE_USER)
    line = recording.await_line("notification", 20, after=trial.lab.straps.await_event("advertising", begun, 10).time)
    time.sleep(seconds)
    end_recording(trial, recording)
    expect_kept(trial, [(begun - 0.05, line.time)])


def _capture_agrees(trial: Trial) -> None:
    lab = trial.lab
    file = lab.places.work / "own.btsnoop"
    capture = lab.tachogram.start("capture", str(file))
    time.sleep(1)
    _record_two_links(trial, lab.seconds(5, 70))
    code = capture.interrupt()
    how = f"exit code {code}: {capture.errors()[-300:]}"
    trial.expect.true("capture ends in order on Ctrl-C", code in (0, INTERRUPTED), how)
    lab.monitor.stop()
    own = captured_notifications(file)
    monitor = captured_notifications(lab.monitor.capture)
    trial.expect.same_series("the heart rates of `capture` against btmon's",
                             [(packet.connection, packet.value) for packet in own],
                             [(packet.connection, packet.value) for packet in monitor])
    trial.expect.at_least("heart rates in the capture", len(own), 8)
    apart = max((abs(a.time - b.time) for a, b in zip(own, monitor)), default=0)
    trial.expect.at_most("seconds between the two times of a packet", apart, 0.001)


def _replay_agrees(trial: Trial) -> None:
    lab = trial.lab
    _record_two_links(trial, lab.seconds(SHORT_HRV_SECONDS, 150))
    lab.monitor.stop()
    replayed = lab.places.work / "replayed.sqlite"
    done = lab.tachogram.run("replay", str(lab.monitor.capture), "--database", str(replayed), seconds=90)
    trial.expect.equal("exit code of replay", (done.code, done.err if done.code else ""), (0, ""))
    live, again = lab.ledger(), Ledger(replayed)
    trial.expect.same_series("notifications of the replay", [(n.link, n.value) for n in again.notifications()],
                             [(n.link, n.value) for n in live.notifications()])
    trial.expect.equal("reasons of the links' ends", again.link_ends()[:1], live.link_ends()[:1])
    # Arrivals differ by what a packet is under way between the kernel and the program; intervals do not.
    beats = live.beats()
    trial.expect.at_least("beats", len(beats), 15)
    trial.expect.same_series("beats of the replay", again.beats(), beats)
    # Of each length of window the last one, in which all of the session is that fits.
    windows = live.last_windows()
    trial.expect.equal("lengths of windows", [window[0] for window in windows], [60, 120, 300])
    trial.expect.equal("HRV of the replay", again.last_windows(), windows)
    trial.expect.equal("stress of the replay", again.stress_levels(), live.stress_levels())
    if not lab.short:
        trial.expect.at_least("stress levels", len(live.stress_levels()), 1)


SCENARIOS = (
    Scenario(
        "capture-agrees", "`capture` and btmon hold the same heart-rate packets.", _capture_agrees, 400, 85,
    ),
    Scenario(
        "replay-agrees", "btmon's capture replays to the beats, HRV and stress of the live session.", _replay_agrees,
        400, 85,
    ),
)
