"""A recording, and the captures of the same minutes: all of them say the same, and replay to the same."""

from __future__ import annotations

import time
from collections.abc import Sequence

from radio_lab.guest.capture import CapturedNotification, captured_notifications
from radio_lab.guest.ledger import Ledger
from radio_lab.guest.tachogram import Running
from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.recording import (
    INTERRUPTED,
    begin_recording,
    end_recording,
    expect_kept,
    expect_one_session,
)

REMOTE_USER = 0x13
# Each of two links: RMSSD takes 30 s of intervals; in full for all windows and stress levels, too.
# The link ends between two values of the strap, which come each second.
SHORT_SECONDS, FULL_SECONDS = 17.5, 150.5
# From the kernel to the program, which share a processor with the strap and the daemon, and in the short form the machine
# with another guest.
SHORT_WAY_SECONDS, FULL_WAY_SECONDS = 0.25, 0.05


def _record(trial: Trial) -> None:
    lab = trial.lab
    own = lab.places.work / "own.btsnoop"
    capture = lab.tachogram.start("capture", str(own))
    time.sleep(1)
    recording = _record_two_links(trial, lab.seconds(SHORT_SECONDS, FULL_SECONDS))
    code = capture.interrupt()
    how = f"exit code {code}: {capture.errors()[-300:]}"
    trial.expect.true("capture ends in order on Ctrl-C", code in (0, INTERRUPTED), how)
    lab.monitor.stop()
    captured = captured_notifications(lab.monitor.capture)
    _expect_same_values(trial, recording, captured)
    _expect_same_packets(trial, captured_notifications(own), captured)
    _expect_same_replay(trial)


def _record_two_links(trial: Trial, seconds: float) -> Running:
    """Records two links with an interruption, each of a given duration."""
    recording = begin_recording(trial)
    time.sleep(seconds)
    begun = time.monotonic()
    trial.lab.straps.do("drop", reason=REMOTE_USER)
    line = recording.await_line("notification", 20, after=trial.lab.straps.await_event("advertising", begun, 10).time)
    time.sleep(seconds)
    end_recording(trial, recording)
    expect_one_session(trial)
    expect_kept(trial, [(begun - 0.05, line.time)])
    return recording


def _expect_same_values(trial: Trial, recording: Running, captured: Sequence[CapturedNotification]) -> None:
    """Expects the same values in the kernel's capture, the ledger and the output."""
    stored = trial.lab.ledger().notifications()
    kept = [entry.value for entry in stored]
    trial.expect.same_series("the ledger against btmon's capture", kept, [packet.value for packet in captured])
    trial.expect.at_least("notifications", len(kept), 30)
    trial.expect.equal("links", sorted({entry.link for entry in stored}), [0, 1])
    trial.expect.equal("the reason of the first link's end", trial.lab.ledger().link_ends()[:1], [REMOTE_USER])
    lines = [line.facts["value"] for line in recording.of("notification")]
    trial.expect.same_series("the ledger against the event lines", kept, lines)


def _expect_same_packets(
    trial: Trial, own: Sequence[CapturedNotification], monitor: Sequence[CapturedNotification],
) -> None:
    """Expects the same packets in the program's capture and btmon's."""
    trial.expect.same_series("the heart rates of `capture` against btmon's",
                             [(packet.connection, packet.value) for packet in own],
                             [(packet.connection, packet.value) for packet in monitor])
    apart = max((abs(a.time - b.time) for a, b in zip(own, monitor)), default=0)
    trial.expect.at_most("seconds between the two times of a packet", apart, 0.001)


def _expect_same_replay(trial: Trial) -> None:
    """Expects the same session from a replay of btmon's capture."""
    lab = trial.lab
    replayed = lab.places.work / "replayed.sqlite"
    done = lab.tachogram.run("replay", str(lab.monitor.capture), "--database", str(replayed), seconds=90)
    trial.expect.equal("exit code of replay", (done.code, done.err if done.code else ""), (0, ""))
    live, again = lab.ledger(), Ledger(replayed)
    trial.expect.same_series("notifications of the replay", [(n.link, n.value) for n in again.notifications()],
                             [(n.link, n.value) for n in live.notifications()])
    trial.expect.equal("reasons of the links' ends", again.link_ends()[:1], live.link_ends()[:1])
    # Arrivals, and with them the ends of windows, differ by what a packet is under way between the kernel and the
    # program; intervals do not.
    beats = live.beats()
    trial.expect.at_least("beats", len(beats), 15)
    trial.expect.same_series("beats of the replay", again.beats(), beats)
    # Of each length of window the last one, in which all of the session is that fits.
    windows = live.last_windows()
    trial.expect.equal("lengths of windows", [window[0] for window in windows], [60, 120, 300])
    trial.expect.equal("HRV of the replay", again.last_windows(), windows)
    apart = max((abs(a - b) for a, b in zip(again.last_coverages(), live.last_coverages())), default=0)
    trial.expect.at_most("difference of the windows' coverages", apart,
                         lab.seconds(SHORT_WAY_SECONDS, FULL_WAY_SECONDS) / 60)
    trial.expect.equal("stress of the replay", again.stress_levels(), live.stress_levels())
    if not lab.short:
        trial.expect.at_least("stress levels", len(live.stress_levels()), 1)


SCENARIOS = (
    Scenario(
        "record", "Ledger, strap's log, `capture` and btmon agree across two links, and replay gives the same.",
        _record, 500, 110,
    ),
)
