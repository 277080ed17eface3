"""What the benchmarks have in common: running a program, and what is made of the figures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass

from release import ROOT
from tables import Limit, Table, as_json, times

FOLDER = ROOT / ".build/bench"


@dataclass(frozen=True)
class Finished:
    """A successful run. Linux includes this program's resident memory at the start of a child in the child's peak."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    # To files, as Linux charges the process with them when it writes.
    written_bytes: int
    output: bytes


@dataclass(frozen=True)
class Measured:
    """The measurements of two sides, and their ratio."""

    ours: str
    reference: str
    ratio: Limit


def run(command: list[str], environment: dict[str, str] | None = None) -> Finished:
    """Runs a program. Ends the benchmark if it fails. `environment` is added to this program's."""
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
    return Finished(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024,
                    usage.ru_oublock * 512, output)


def window_line(binary: str) -> str:
    """Returns the line of tachogram-bench about the sliding window."""
    return " ".join(run([binary, "window"]).output.decode().split())


@dataclass(frozen=True)
class Outcome:
    """Tables, and their figures with limits."""

    tables: list[Table]
    limits: list[Limit]

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(self.tables + other.tables, self.limits + other.limits)

    def described(self, short: bool) -> list[dict[str, object]]:
        """Returns the limits for JSON."""
        return [{**asdict(limit), "passes": limit.passes(short)} for limit in self.limits]

    def print(self) -> None:
        """Prints it for people."""
        for table in self.tables:
            print(table.text())
        for limit in self.limits:
            result = "ok" if limit.passes(False) else "missed" if limit.passes(True) else "FLOOR"
            print(f"{limit}: {result}" + (f" ({limit.detail})" if limit.detail else ""))

    def show(self, short: bool, prints_json: bool) -> int:
        """Prints it for people or as one JSON object. Returns the exit code."""
        if prints_json:
            print(as_json(self.tables, short=short, limits=self.described(short)))
        else:
            self.print()
        return 0 if all(limit.passes(short) for limit in self.limits) else 1


def missed(limits: list[Limit]) -> list[str]:
    """Returns the missed limits."""
    return [str(limit) for limit in limits if not limit.passes(False)]


def compared(rows: list[Measured], name: str) -> Outcome:
    """Returns the table of the comparison; `name` is its place in the document."""
    limits = [row.ratio for row in rows]
    cells = [(one.name, row.ours, row.reference, times(one.value, 1 if one.at_least else 2), one.aim)
             for row, one in zip(rows, limits, strict=True)]
    return Outcome([Table(name, ("what", "Tachogram", "against", "ratio", "target"), cells, missed(limits))], limits)
