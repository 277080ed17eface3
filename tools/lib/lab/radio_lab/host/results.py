"""Results on the screen and in a file."""

from __future__ import annotations

import fcntl
import json
import statistics
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import date, datetime, timezone
from pathlib import Path

from radio_lab.result import ScenarioResult


class Screen:
    """Reports the progress of the run on standard error."""

    def __init__(self, total: int, say: Callable[[str], None]) -> None:
        self._total = total
        self._done = 0
        self._say = say

    def __call__(self, result: ScenarioResult) -> None:
        """Prints a line for each scenario that ends."""
        self._done += 1
        verdict = "ok" if result.passed else "FAILED"
        self._say(f"[{self._done}/{self._total}] {result.name}: {verdict} ({result.seconds:.1f} s)")


def table(results: list[ScenarioResult]) -> str:
    """Returns all results, one per line, followed by failures and the paths of their logs."""
    width = max((len(result.name) for result in results), default=0)
    lines = []
    for result in results:
        verdict = "ok    " if result.passed else "FAILED"
        head = f"{verdict}  {result.name:{width}}  {result.seconds:6.1f} s  {result.checks:4} checks"
        lines.append(f"{head}  {_figures(result)}".rstrip())
    for result in results:
        if result.failures:
            lines.append(f"\n{result.name}:")
            lines += [f"  - {failure}" for failure in result.failures]
            if result.folder:
                lines.append(f"  logs: {result.folder}")
    failed = sum(not result.passed for result in results)
    lines.append(f"\n{len(results)} scenarios, {'all passed' if not failed else f'{failed} FAILED'}")
    return "\n".join(lines)


def _figures(result: ScenarioResult) -> str:
    parts = [
        f"{fault}: p50 {statistics.median(seconds):.1f} s, max {max(seconds):.1f} s (n={len(seconds)})"
        for fault, seconds in result.recoveries.items()
    ]
    if result.sent:
        parts.append(f"{result.sent} values, {result.lost} lost, {result.doubled} doubled")
    parts += [f"{name} {value:g}" for name, value in result.figures.items()]
    return "; ".join(parts)


class ResultStore:
    """The latest result of each scenario in each form with each version of BlueZ, on disk, for the report."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> list[ScenarioResult]:
        """Returns the stored results."""
        if not self._file.exists():
            return []
        return [ScenarioResult.from_object(data) for data in json.loads(self._file.read_text())]

    def last_run(self) -> date:
        """Returns the time when results were last stored."""
        return datetime.fromtimestamp(self._file.stat().st_mtime if self._file.exists() else 0, timezone.utc).date()

    def add(self, results: list[ScenarioResult]) -> None:
        """Stores results, which replace older ones of the same scenarios."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.with_suffix(".lock").open("w") as lock:
            # Two labs may end at the same time.
            fcntl.flock(lock, fcntl.LOCK_EX)
            kept = {(result.name, result.is_short, result.versions.bluez): result for result in [*self.read(), *results]}
            beside = self._file.with_suffix(".new")
            beside.write_text(json.dumps([asdict(result) for result in kept.values()], indent=1) + "\n")
            beside.rename(self._file)


def say(text: str) -> None:
    """Reports progress on stderr, because stdout is for data."""
    print(text, file=sys.stderr, flush=True)
