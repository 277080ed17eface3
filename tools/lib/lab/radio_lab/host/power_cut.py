"""A series of power cuts: the same disk is booted again and again, and each time the guest is killed as it records."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from radio_lab.guest.power import ACKNOWLEDGEMENTS
from radio_lab.host.failure import LabFailure
from radio_lab.host.guest import Guest
from radio_lab.power_round import FAILURE, PowerRound, RoundReport
from radio_lab.result import ScenarioResult

# Sparse; a station with the default configuration calls a disk full below 200 MB.
DISK_BYTES = 512 * 1024 * 1024
# How long a boot may take until something is notified, and mirrored.
PATIENCE_SECONDS = 90


class PowerCuts:
    """A series of power cuts, each within `latest` seconds of the first notification. `boot` starts a guest; it
    returns false if the lab is being stopped."""

    def __init__(self, guest: Guest, cuts: int, latest: float, boot: Callable[[Guest], bool]) -> None:
        self._guest = guest
        self._cuts = cuts
        self._latest = latest
        self._boot = boot
        self._moments = random.Random(cuts)

    def run(self, limit: float) -> list[str]:
        """Runs the cuts, and examines the disk after the last one. Returns the problems. Each boot has a time limit."""
        for number in range(self._cuts + 1):
            is_last = number == self._cuts
            PowerRound(number, is_last).write(self._guest.folder)
            if not self._boot(self._guest):
                return ["the lab was stopped"]
            if is_last:
                return [] if self._guest.wait(limit) else [f"the last boot did not end within {limit:g} s"]
            problem = self._await_mirror(number)
            if problem:
                return [problem]
            time.sleep(self._moments.uniform(0, self._latest))
            problem = self._ended_before(number)
            self._guest.kill()
            if problem:
                return [problem]
        return []

    def _ended_before(self, number: int) -> str | None:
        """Returns the reason why a boot ended before its cut."""
        failure = self._guest.folder / f"round-{number}" / FAILURE
        if failure.exists():
            return f"boot {number}: {failure.read_text()}"
        return None if self._guest.is_running else f"boot {number} ended before it was cut off"

    def _await_mirror(self, number: int) -> str | None:
        file = self._guest.folder / f"round-{number}" / ACKNOWLEDGEMENTS
        end = time.monotonic() + PATIENCE_SECONDS
        while not (file.exists() and file.stat().st_size):
            if not self._guest.is_running:
                return f"boot {number} ended before anything was notified"
            if time.monotonic() > end:
                self._guest.kill()
                return f"boot {number}: nothing was notified within {PATIENCE_SECONDS} s"
            time.sleep(0.05)
        return None

    def conclude(self, result: ScenarioResult) -> None:
        """Adds the results of all boots to that of the last one."""
        reports = [RoundReport.read(self._guest.folder / f"round-{number}") for number in range(1, self._cuts + 1)]
        found = [report for report in reports if report is not None]
        if len(found) < self._cuts:
            result.failures.append(f"{self._cuts - len(found)} of {self._cuts} cuts were not examined")
        for number, report in enumerate(found[:-1], start=1):
            result.failures += [f"after cut {number}: {failure}" for failure in report.failures]
        sessions = max((report.sessions for report in found), default=0)
        if sessions != 1:
            result.failures.append(
                f"sessions after {len(found)} cuts: expected 1 that goes on with a gap after each cut, seen {sessions}"
            )
        gaps = max((report.gaps for report in found), default=0)
        # Each boot that stored something begins with a gap, but for the first of them.
        expected = sum(report.kept > 0 for report in found) - 1
        if sessions == 1 and gaps < expected:
            result.failures.append(
                f"gaps after {len(found)} cuts: expected {expected}, one before each boot that stored anything but the "
                f"first, seen {gaps}")
        result.checks += sum(report.checks for report in found)
        result.passed = not result.failures
        result.figures = {
            "cuts": len(found),
            "boots that stored nothing before their cut": sum(report.kept == 0 for report in found),
            "damaged databases": sum(not report.is_intact for report in found),
            "acknowledged notifications": sum(report.acknowledged for report in found),
            "acknowledged notifications lost": sum(report.acknowledged_lost for report in found),
            "longest loss before a cut, s": max((report.lost_seconds for report in found), default=0),
            "sessions": sessions,
            "gaps": gaps,
        }


def make_disk(file: Path) -> None:
    """Creates an empty ext4 image."""
    with file.open("wb") as image:
        image.truncate(DISK_BYTES)
    done = subprocess.run(
        ["mkfs.ext4", "-q", "-F", str(file)], capture_output=True, text=True, check=False,
        env={"PATH": "/usr/sbin:/sbin:/usr/bin:/bin"},
    )
    if done.returncode != 0:
        raise LabFailure(f"mkfs.ext4 failed: {done.stderr.strip()}")
