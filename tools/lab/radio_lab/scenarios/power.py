"""Power cuts. One boot of many: what the boot before left on the disk is examined, then recording goes on until the
host kills the whole guest. `radio_lab.host.power_cut` drives the boots."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from radio_lab.guest.power import LONGEST_LOSS_SECONDS, SHORT_LONGEST_LOSS_SECONDS, Mirror, examine
from radio_lab.guest.ledger import Ledger
from radio_lab.guest.tachogram import Tachogram
from radio_lab.power_round import FAILURE, PowerRound
from radio_lab.scenario import Scenario, Trial

DISK = Path("/run/disk")


def _boot(trial: Trial) -> None:
    """A boot that fails must not be taken for one that was cut off: the host looks for its reason."""
    shared = trial.lab.places.shared
    try:
        _record_until_cut(trial)
    except BaseException as error:
        _tell_failure(shared, f"{type(error).__name__}: {error}")
        raise


def _tell_failure(shared: Path, why: str) -> None:
    (shared / f"round-{PowerRound.read(shared).number}" / FAILURE).write_text(why)


def _record_until_cut(trial: Trial) -> None:
    lab, shared = trial.lab, trial.lab.places.shared
    round_ = PowerRound.read(shared)
    DISK.mkdir()
    subprocess.run(["mount", "-t", "ext4", "/dev/ubda", str(DISK)], check=True)
    lab.tachogram = Tachogram(lab.places.binary, DISK / "tachogram.sqlite", shared)
    if round_.number > 0:
        longest_loss = lab.seconds(SHORT_LONGEST_LOSS_SECONDS, LONGEST_LOSS_SECONDS)
        report = examine(Ledger(lab.tachogram.database), shared / f"round-{round_.number - 1}", longest_loss)
        report.write(shared / f"round-{round_.number}")
        for failure in report.failures:
            trial.expect.fail(failure)
        trial.expect.at_least("notifications on the disk", report.stored, 1)
    if round_.is_last:
        return
    lab.start()
    recording = lab.tachogram.record(lab.straps.address())
    recording.await_line("notification", 30)
    mirror = Mirror(lab.straps.log, Ledger(lab.tachogram.database), shared / f"round-{round_.number}")
    while recording.is_running:
        mirror.update()
        time.sleep(0.03)
    why = f"record has ended by itself: {recording.errors()[-300:]}"
    _tell_failure(shared, why)
    trial.expect.fail(why)


SCENARIOS = (
    Scenario("power-cut", "The power fails again and again while a strap is recorded.", _boot, 120, 90,
             straps=("--rate", "10", "--play", "counter"), is_brought_up=False, is_watched=False, cuts=(2, 100)),
)

