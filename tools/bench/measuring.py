"""What the benchmarks have in common: running a program, a line of the table, the table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass

from release import ROOT

FOLDER = ROOT / ".build/bench"


@dataclass(frozen=True)
class Finished:
    """A run that ended well. Linux counts what this program had resident when it started a child into the peak."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    output: bytes


@dataclass(frozen=True)
class Measured:
    """One line of the table; the larger the ratio the better, unless `at_most`."""

    name: str
    ours: str
    reference: str
    ratio: float
    target: float
    floor: float
    at_most: bool = False
    detail: str = ""

    def passes(self, short: bool) -> bool:
        """Whether the ratio meets the target; in the short form, the floor."""
        bound = self.floor if short else self.target
        return self.ratio <= bound if self.at_most else self.ratio >= bound


def run(command: list[str], environment: dict[str, str] | None = None) -> Finished:
    """Runs a program; ends the benchmark when it fails. `environment` is added to this program's."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                                   env={**os.environ, **(environment or {})})
        assert process.stdout is not None
        with process.stdout:
            output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            print(errors.read().decode(errors="replace"), file=sys.stderr)
            raise SystemExit(f"bench: {' '.join(command)} ended with {process.returncode}")
    return Finished(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output)


def window_line(binary: str) -> str:
    """What tachogram-bench says of the sliding window."""
    return " ".join(run([binary, "window"]).output.decode().split())


def show(rows: list[Measured], short: bool, as_json: bool) -> int:
    """Prints the rows, for people or as one JSON object, and returns the exit code."""
    if as_json:
        results = [{**asdict(row), "passes": row.passes(short)} for row in rows]
        print(json.dumps({"short": short, "results": results}))
    else:
        _print_table(rows)
    return 0 if all(row.passes(short) for row in rows) else 1


def _print_table(rows: list[Measured]) -> None:
    print(f"{'what':<34}{'tachogram':>12}  {'against':<24}{'ratio':>8}  {'target':<9}{'':<8}detail")
    for row in rows:
        target = f"{'≤' if row.at_most else '≥'} {row.target:g}×"
        verdict = "ok" if row.passes(False) else "missed" if row.passes(True) else "FLOOR"
        ratio = f"{row.ratio:.2f}×" if row.at_most else f"{row.ratio:.1f}×"
        print(f"{row.name:<34}{row.ours:>12}  {row.reference:<24}{ratio:>8}  {target:<9}{verdict:<8}{row.detail}")
