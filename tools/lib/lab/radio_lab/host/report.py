"""docs/reliability.md: what the lab measured, as a page for people."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from radio_lab.host.columns import UNKNOWN, Column, columns_of, table
from radio_lab.host.differences import differences
from radio_lab.host.failure import LabFailure
from radio_lab.result import ScenarioResult, Versions

HEAD = """# Reliability, measured

Written by `tools/lab --report docs/reliability.md` from the last results of the full form of every scenario; not
to be edited by hand. The lab boots a real kernel and a real Bluetooth daemon, lets virtual straps notify, and breaks
things (tools/lib/lab/README.md). Each time is taken in the guest, from the moment the fault is over (the strap advertises
again, the daemon or the adapter is back; for silence: from its beginning) to the first notification in the ledger. BlueZ
5.66 is the daemon of Debian 12 and Raspberry Pi OS 12, 5.82 that of Debian 13 and Raspberry Pi OS 13.
"""


def write_report(results: Sequence[ScenarioResult], names: Sequence[str], file: Path, last_run: date) -> None:
    """Writes the document of the scenarios with these names, with a column for each version of BlueZ. Raises LabFailure
    if a scenario has no result of its full form; short forms are not published."""
    full = [result for result in results if not result.is_short and result.name in names]
    known = {result.name for result in full}
    missing = [name for name in sorted(names) if name not in known]
    if missing:
        raise LabFailure(
            f"{len(missing)} of {len(names)} scenarios have no result of their full form. Run them first: "
            f"tools/lab --scenario {' '.join(missing)}"
        )
    columns = columns_of(sorted(full, key=lambda result: result.name))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([HEAD, *_versions(columns, names, last_run), *_recoveries(columns), *_losses(columns),
                               *_flood(columns), *_cuts(columns), *differences(columns), *_scenarios(columns)]))


def percentile(values: Sequence[float], share: float) -> float:
    """Returns the smallest value that is not below this share of them (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _versions(columns: list[Column], names: Sequence[str], last_run: date) -> list[str]:
    """Returns a line for each set of results of a version that were measured with the same, the largest set first."""
    lines: list[str] = []
    for column in columns:
        sets: dict[str, list[str]] = {}
        for result in column.results.values():
            sets.setdefault(_measured_with(result.versions), []).append(result.name)
        ordered = sorted(sets.items(), key=lambda entry: -len(entry[1]))
        for what, measured in ordered:
            of = ", ".join(measured)
            if len(measured) > 1 and what == ordered[0][0]:
                of = f"{'all ' if len(measured) == len(names) else ''}{len(measured)} scenarios"
            lines.append(f"- BlueZ {column.version}, {of}: {what}")
        missing = [name for name in sorted(names) if name not in column.results]
        if missing:
            lines.append(f"- BlueZ {column.version}, not run: {', '.join(missing)}")
    return ["## With what, and when", "", *lines, f"- last run on {last_run.isoformat()}", ""]


def _measured_with(versions: Versions) -> str:
    binary = f" (SHA-256 {versions.binary}…)" if versions.binary else ""
    parts = [
        f"tree {versions.revision or UNKNOWN}", f"tachogram {versions.tachogram or UNKNOWN}{binary}",
        f"Linux {versions.kernel or UNKNOWN}",
    ]
    if versions.others:
        parts.append(f"other packages than the lab is known with: {', '.join(versions.others)}")
    return "; ".join(parts)


def _recoveries(columns: list[Column]) -> list[str]:
    found = [{fault: seconds for result in column.results.values() for fault, seconds in result.recoveries.items()}
             for column in columns]
    faults = list(dict.fromkeys(fault for of_column in found for fault in of_column))
    rows = [(fault, [_times(of_column.get(fault)) for of_column in found]) for fault in faults]
    note = (
        "The p99 of fewer than a hundred is the longest of them. A fault after which nothing came within a minute is\n"
        "not in here: its scenario has failed, below."
    )
    return ["## Recovery", "", *table("fault", ["n", "p50", "p99", "longest"], columns, rows), "", note, ""]


def _times(seconds: list[float] | None) -> list[str] | None:
    if not seconds:
        return None
    values = (statistics.median(seconds), percentile(seconds, 0.99), max(seconds))
    return [str(len(seconds)), *(f"{value:.2f} s" for value in values)]


def _losses(columns: list[Column]) -> list[str]:
    counted = [{name: result for name, result in column.results.items() if result.sent} for column in columns]
    names = sorted({name for of_column in counted for name in of_column})
    facts = ("sent", "lost", "doubled")
    rows: list[tuple[str, list[list[str] | None]]] = [
        (name, [[str(getattr(of_column[name], fact)) for fact in facts] if name in of_column else None
                for of_column in counted]) for name in names
    ]
    rows.append(("all", [[str(sum(getattr(result, fact) for result in of_column.values())) for fact in facts]
                         for of_column in counted]))
    return ["## Notifications on links that were up", "",
            "What straps handed to a link that was up, against the ledger, byte for byte and in order.", "",
            *table("scenario", facts, columns, rows), ""]


def _figures(name: str, columns: list[Column]) -> list[str]:
    """Returns the figures of a scenario as a table, with the values of each version, or nothing."""
    found = [column.results[name].figures if name in column.results else {} for column in columns]
    rows = [(key, [[f"{figures[key]:g}"] if key in figures else None for figures in found])
            for key in dict.fromkeys(key for figures in found for key in figures)]
    return table("figure", ["value"], columns, rows) if rows else []


def _flood(columns: list[Column]) -> list[str]:
    figures = _figures("flood", columns)
    if not figures:
        return []
    what = (
        "The strap of `flood` sends 1000 values a second, and waits while the kernel's queue to bluetoothd is half\n"
        "full: what does not fit into it, the kernel drops before any program sees it. Strap, kernel, bluetoothd\n"
        "and tachogram share one processor. What was reached:"
    )
    return [what, "", *figures, ""]


def _cuts(columns: list[Column]) -> list[str]:
    recorders = {"power-cut": "`record`, which commits every second",
                 "station-power-cut": "A station with the default configuration, which commits every 10 s"}
    found = {name: _figures(name, columns) for name in recorders}
    if not any(found.values()):
        return []
    what = "All processes of the guest are killed at a random moment while it records to an ext4 disk."
    lines = ["## Power cuts", "", what]
    for name, figures in found.items():
        if figures:
            lines += ["", f"{recorders[name]}:", "", *figures]
    return [*lines, ""]


def _scenarios(columns: list[Column]) -> list[str]:
    names = sorted({name for column in columns for name in column.results})
    rows = [(name, [_verdict(column.results.get(name)) for column in columns]) for name in names]
    return ["## All scenarios, in full", "", *table("scenario", ["checks", "result"], columns, rows), ""]


def _verdict(result: ScenarioResult | None) -> list[str] | None:
    if result is None:
        return None
    return [str(result.checks), "passed" if result.passed else f"FAILED: {result.failures[0].splitlines()[0]}"]
