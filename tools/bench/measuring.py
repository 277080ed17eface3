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
from tables import Limit, Table, as_json

FOLDER = ROOT / ".build/bench"


@dataclass(frozen=True)
class Finished:
    """A run that ended well. Linux counts what this program had resident when it started a child into the peak."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    # To files, as Linux charges the process with them when it writes.
    written_bytes: int
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
    return Finished(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024,
                    usage.ru_oublock * 512, output)


def window_line(binary: str) -> str:
    """What tachogram-bench says of the sliding window."""
    return " ".join(run([binary, "window"]).output.decode().split())


def show(rows: list[Measured], name: str, short: bool, prints_json: bool, others: Outcome | None = None) -> int:
    """Prints the rows and other tables, for people or as one JSON object, and returns the exit code. `name` is the
    place of the rows in the document."""
    others = others or Outcome([], [])
    failed = not all(one.passes(short) for one in [*rows, *others.limits])
    if prints_json:
        results = [{**asdict(row), "passes": row.passes(short)} for row in rows]
        tables = [_table(rows, name), *others.tables]
        print(as_json(tables, short=short, results=results, limits=others.described(short)))
    else:
        _print_table(rows)
        others.print()
    return 1 if failed else 0


@dataclass(frozen=True)
class Outcome:
    """Tables, and figures of them that have limits."""

    tables: list[Table]
    limits: list[Limit]

    def described(self, short: bool) -> list[dict[str, object]]:
        """The limits for JSON."""
        return [{**asdict(limit), "passes": limit.passes(short)} for limit in self.limits]

    def print(self) -> None:
        """For people."""
        for table in self.tables:
            print(table.text())
        for limit in self.limits:
            print(f"{limit}: {'ok' if limit.passes(False) else 'missed' if limit.passes(True) else 'FLOOR'}")

    def show(self, short: bool, prints_json: bool) -> int:
        """Prints all of it, for people or as one JSON object, and returns the exit code."""
        if prints_json:
            print(as_json(self.tables, short=short, limits=self.described(short)))
        else:
            self.print()
        return 0 if all(limit.passes(short) for limit in self.limits) else 1


def missed(limits: list[Limit]) -> list[str]:
    """The limits whose targets are missed."""
    return [str(limit) for limit in limits if not limit.passes(False)]


def _bound(row: Measured) -> str:
    return f"{'≤' if row.at_most else '≥'} {row.target:g}×"


def _ratio(row: Measured) -> str:
    return f"{row.ratio:.2f}×" if row.at_most else f"{row.ratio:.1f}×"


def _table(rows: list[Measured], name: str) -> Table:
    """The rows as the document has them."""
    cells = [(row.name, row.ours, row.reference, _ratio(row), _bound(row)) for row in rows]
    return Table(name, ("what", "Tachogram", "against", "ratio", "target"), cells,
                 [row.name for row in rows if not row.passes(False)])


def _print_table(rows: list[Measured]) -> None:
    print(f"{'what':<34}{'tachogram':>12}  {'against':<24}{'ratio':>8}  {'target':<9}{'':<8}detail")
    for row in rows:
        verdict = "ok" if row.passes(False) else "missed" if row.passes(True) else "FLOOR"
        print(f"{row.name:<34}{row.ours:>12}  {row.reference:<24}{_ratio(row):>8}  {_bound(row):<9}{verdict:<8}{row.detail}")
