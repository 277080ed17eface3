"""Power cuts. One boot of many: what the boot before left on the disk is examined, then recording goes on until the
host kills the whole guest. `radio_lab.host.power_cut` drives the boots."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from radio_lab.guest.lab import Lab
from radio_lab.guest.ledger import Ledger
from radio_lab.guest.power import Mirror, examine
from radio_lab.guest.tachogram import Running, Tachogram
from radio_lab.guest.waiting import wait_until
from radio_lab.power_round import FAILURE, PowerRound
from radio_lab.scenario import Cuts, Scenario, Trial

DISK = Path("/run/disk")
# What a commit may take on top of the interval; the short form runs on machines whose disks are slow, too.
COMMIT_SECONDS, SHORT_COMMIT_SECONDS = 1.0, 1.5
# The default of `storage.commit`.
STATION_INTERVAL = 10.0


def _boots(begin: Callable[[Lab], Running], interval: float, pause: float) -> Callable[[Trial], None]:
    """Returns the body of a boot. `begin` starts the recorder and returns the time of the first notification. It
    commits at least once per `interval`, in addition to the duration of a commit, in seconds; the mirror is
    updated once per `pause`."""

    def boot(trial: Trial) -> None:
        # A boot that fails must not be taken for one that was cut off: the host looks for its reason.
        shared = trial.lab.places.shared
        try:
            _record_until_cut(trial, begin, interval + trial.lab.seconds(SHORT_COMMIT_SECONDS, COMMIT_SECONDS), pause)
        except BaseException as error:
            _note_failure(shared, f"{type(error).__name__}: {error}")
            raise

    return boot


def _note_failure(shared: Path, why: str) -> None:
    (shared / f"round-{PowerRound.read(shared).number}" / FAILURE).write_text(why)


def _record_until_cut(trial: Trial, begin: Callable[[Lab], Running], longest_loss: float, pause: float) -> None:
    lab, shared = trial.lab, trial.lab.places.shared
    round_ = PowerRound.read(shared)
    DISK.mkdir()
    subprocess.run(["mount", "-t", "ext4", "/dev/ubda", str(DISK)], check=True)
    lab.tachogram = Tachogram(lab.places.binary, DISK / "tachogram.sqlite", shared)
    if round_.number > 0:
        report = examine(Ledger(lab.tachogram.database), shared / f"round-{round_.number - 1}", longest_loss)
        report.write(shared / f"round-{round_.number}")
        for failure in report.failures:
            trial.expect.fail(failure)
        if round_.is_last:
            trial.expect.at_least("notifications on the disk", report.stored, 1)
    if round_.is_last:
        return
    lab.start()
    recording = begin(lab)
    mirror = Mirror(lab.straps.log, Ledger(lab.tachogram.database), shared / f"round-{round_.number}")
    while recording.is_running:
        mirror.update()
        time.sleep(pause)
    why = f"{recording.name} has ended by itself: {recording.errors()[-300:]}"
    _note_failure(shared, why)
    trial.expect.fail(why)


def _begin_recording(lab: Lab) -> Running:
    recording = lab.tachogram.record(lab.straps.address())
    recording.await_line("notification", 30)
    return recording


def _begin_station(lab: Lab) -> Running:
    """The station stores nothing before its first commit, so the log of the strap gives the time of the first
    notification."""
    straps = f"radio.straps={lab.straps.address()}"
    station = lab.tachogram.start(
        "station", "--database", str(lab.tachogram.database), "--port", "0", "--set", straps)
    wait_until("the strap notifies", lambda: station.is_running and b'"hex"' in lab.straps.log.read_bytes(), 40)
    return station


SCENARIOS = (
    Scenario("power-cut", "The power fails again and again while a strap is recorded.",
             _boots(_begin_recording, 0, 0.03), 120, 90,
             straps=("--rate", "10", "--play", "counter"), is_brought_up=False, is_watched=False,
             cuts=Cuts(short=2, full=100, latest=4)),
    Scenario("station-power-cut", "The power fails again and again while a station with the default configuration listens.",
             _boots(_begin_station, STATION_INTERVAL, 0.1), 120, 90,
             straps=("--rate", "10", "--play", "counter"), is_brought_up=False, is_watched=False,
             cuts=Cuts(short=2, full=50, latest=25)),
)
