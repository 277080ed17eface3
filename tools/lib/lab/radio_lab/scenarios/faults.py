"""Things that break while a strap is recorded, and how soon they are over. Each fault is struck several times into one
recording, which must stay one session, with a gap for each fault that cost beats and nothing lost between them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from radio_lab.guest.lab import Lab
from radio_lab.guest.waiting import wait_until
from radio_lab.scenario import Scenario, Trial
from radio_lab.scenarios.recording import (
    await_stored,
    begin_recording,
    end_recording,
    expect_gaps_of_silences,
    expect_kept,
    expect_one_session,
)

CONNECTION_TIMEOUT, REMOTE_USER = 0x08, 0x13
LONGEST_WAIT_SECONDS = 60
LAST_SECONDS = 2.5
# On a link that stays, late values are waited for before beats count as lost.
PATIENCE_SECONDS = 6.5


@dataclass(frozen=True)
class Fault:
    """A fault that occurs and ends. `strike` causes it, ends it, and returns the time from which recovery is counted.
    The limits are those of recovery, in seconds. `reason` is the expected reason of the disconnection in the
    ledger, if it is certain."""

    title: str
    strike: Callable[[Lab], float]
    longest: float
    median: float | None = None
    reason: int | None = None
    ends_link: bool = True
    rounds: tuple[int, int] = (1, 10)
    # How long the strap is heard between two faults, in the short and the full form: a link that was up for ten seconds
    # counts as well again, and the next fault finds no longer waits between attempts.
    live_seconds: tuple[float, float] = (2, 10.5)


def survive(fault: Fault) -> Callable[[Trial], None]:
    """Returns the body of a scenario for a fault."""

    def body(trial: Trial) -> None:
        lab, excuses, pauses = trial.lab, [], []
        recording = begin_recording(trial)
        for _ in range(lab.rounds(*fault.rounds)):
            time.sleep(lab.seconds(*fault.live_seconds))
            begun = time.monotonic()
            over = fault.strike(lab)
            recording.await_line("notification", LONGEST_WAIT_SECONDS, after=over)
            # What is handed to a link that is broken already may be lost, whoever knows of it.
            excuses.append((begun - 0.05, time.monotonic()))
            pauses.append((over, await_stored(trial, over)))
            trial.measure.recovery(fault.title, pauses[-1][1] - over)
        # A gap ends with a beat, which the first value after a fault need not have.
        time.sleep(LAST_SECONDS if fault.ends_link else PATIENCE_SECONDS)
        end_recording(trial, recording)
        _judge(trial, fault, excuses if fault.ends_link else [])
        if not fault.ends_link:
            expect_gaps_of_silences(trial, pauses)

    return body


def _judge(trial: Trial, fault: Fault, excuses: list[tuple[float, float]]) -> None:
    expect, ledger = trial.expect, trial.lab.ledger()
    recoveries = trial.measure.recoveries[fault.title]
    expect.at_most(f"seconds of the longest recovery ({fault.title})", max(recoveries), fault.longest)
    if fault.median:
        expect.at_most(f"seconds of the median recovery ({fault.title})", statistics.median(recoveries), fault.median)
    expect_one_session(trial)
    ends = ledger.link_ends()
    # The last link ends with the recording.
    broken = ends[:-1]
    if fault.ends_link:
        expect.equal("links that ended, one a fault", len(broken), len(excuses))
        expect.at_least("gaps", len(ledger.gaps()), len(excuses))
    if fault.reason is not None:
        expect.equal("reasons in the ledger", broken, [fault.reason] * len(excuses))
    expect_kept(trial, excuses)


# The faults


def _drop(lab: Lab) -> float:
    begun = time.monotonic()
    lab.straps.do("drop", reason=REMOTE_USER)
    return lab.straps.await_event("advertising", begun, 10).time


def _walk_away(lab: Lab) -> float:
    """Both sides lose the link after its supervision timeout."""
    begun = time.monotonic()
    lab.straps.do("vanish", after="supervision")
    lab.straps.await_event("disconnected", begun, 40)
    time.sleep(lab.seconds(3, 5))
    lab.straps.do("return")
    return time.monotonic()


def _fall_silent(lab: Lab) -> float:
    """Silent straps notify again after a new subscription. The time is counted from the last value before the
    silence, which may arrive during it and must not count as the first one after it."""
    begun = time.monotonic()
    lab.straps.do("silence", on=True)
    wait_until(
        "what was sent before the silence is stored",
        lambda: len(lab.ledger().notifications()) == len(lab.straps.values()),
        10,
    )
    last = lab.ledger().notifications()[-1].time
    lab.straps.await_event("subscribed", begun, 40)
    lab.straps.do("silence", on=False)
    return last


def _kill_daemon(lab: Lab) -> float:
    lab.bluetooth.kill()
    time.sleep(lab.seconds(1, 2))
    return lab.bluetooth.start()


def _restart_daemon(lab: Lab) -> float:
    lab.bluetooth.stop()
    time.sleep(1)
    return lab.bluetooth.start()


def _restart_bus(lab: Lab) -> float:
    """The daemon ends without its bus; the service manager starts it again."""
    lab.bus.restart()
    wait_until("bluetoothd ends without its bus", lambda: not lab.bluetooth.service.is_running, 10)
    return lab.bluetooth.start()


def _unplug(lab: Lab) -> float:
    lab.straps.do("adapter", index=0, present=False)
    time.sleep(lab.seconds(1.5, 3))
    lab.straps.do("adapter", index=0, present=True)
    return time.monotonic()


def _power_off(lab: Lab) -> float:
    lab.adapters.power(False)
    time.sleep(2)
    return lab.adapters.power(True)


def _block(lab: Lab) -> float:
    lab.adapters.block(True)
    time.sleep(lab.seconds(1, 2))
    return lab.adapters.block(False)


SCENARIOS = (
    Scenario(
        "strap-drops", "A strap ends the link (0x13) and advertises again.",
        survive(Fault("strap drops the link", _drop, 15, 3, REMOTE_USER, rounds=(1, 20))), 600, 60,
    ),
    Scenario(
        "strap-walks-away", "A strap leaves radio range for some seconds and returns.",
        survive(Fault("strap out of range", _walk_away, 15, 3, CONNECTION_TIMEOUT, rounds=(1, 20))), 700, 70,
    ),
    Scenario(
        "strap-silent", "A strap stays connected and notifies no more until it is subscribed to again.",
        # Five values: fewer do not show how often it sends, and a single beat that is missing is not noticed.
        survive(
            Fault("silent strap", _fall_silent, 15, ends_link=False, rounds=(1, 10), live_seconds=(5, 10.5))), 500, 80,
    ),
    Scenario(
        "bluetoothd-killed", "bluetoothd is killed and started again.",
        survive(Fault("bluetoothd killed", _kill_daemon, 20)), 500, 70,
    ),
    Scenario(
        "bluetoothd-restarted", "bluetoothd ends in order and is started again.",
        survive(Fault("bluetoothd restarted", _restart_daemon, 20)), 500,
    ),
    Scenario(
        "dbus-restarted", "D-Bus is restarted, and bluetoothd after it.",
        survive(Fault("D-Bus restarted", _restart_bus, 20)), 500,
    ),
    Scenario(
        "adapter-removed", "The adapter is unplugged and plugged in again.",
        survive(Fault("adapter unplugged", _unplug, 20)), 500, 70,
    ),
    Scenario(
        "adapter-powered-off", "The adapter is switched off and on again.",
        survive(Fault("adapter switched off", _power_off, 20)), 500,
    ),
    Scenario(
        "rfkill-blocked", "Bluetooth is blocked by rfkill and unblocked.",
        survive(Fault("Bluetooth blocked", _block, 20)), 500, 70,
    ),
)
