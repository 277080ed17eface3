"""docs/reliability.md: what the lab measured, as a page for people."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from radio_lab.host.failure import LabFailure
from radio_lab.result import ScenarioResult, Versions

HEAD = """# Reliability, measured

Written by `tools/lab --report docs/reliability.md` from the last results of the full form of every scenario; not
to be edited by hand. The lab boots a real kernel and a real Bluetooth daemon, lets virtual straps notify, and breaks
things (tools/lib/lab/README.md). Each time is taken in the guest, from the moment the fault is over (the strap advertises
again, the daemon or the adapter is back; for silence: from its beginning) to the first notification in the ledger.
"""
UNKNOWN = "unknown"


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
    chosen = sorted(full, key=lambda result: (result.name, _order(result.versions.bluez)))
    columns = _columns(chosen)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([HEAD, *_versions(chosen, last_run), *_recoveries(columns), *_losses(columns),
                               *_flood(columns), *_cuts(columns), *_scenarios(columns)]))


@dataclass(frozen=True)
class Column:
    """The results with one version of BlueZ, by scenario. `title` is empty if there is only one version."""

    title: str
    results: dict[str, ScenarioResult]


def _order(version: str) -> list[int]:
    """Returns the order of a version, such as 5.66."""
    return [int(part) for part in version.split(".") if part.isdigit()]


def _columns(results: Sequence[ScenarioResult]) -> list[Column]:
    versions = sorted({result.versions.bluez for result in results}, key=_order)
    titles = {version: f"BlueZ {version or UNKNOWN}: " if len(versions) > 1 else "" for version in versions}
    return [Column(titles[version], {result.name: result for result in results if result.versions.bluez == version})
            for version in versions]


def _table(first: str, heads: Sequence[str], columns: Sequence[Column],
           rows: Sequence[tuple[str, Sequence[Sequence[str] | None]]]) -> list[str]:
    """Returns a table with the cells of each version, of which missing ones are dashes."""
    names = [f"{column.title}{head}" if index == 0 else head for column in columns for index, head in enumerate(heads)]
    lines = [f"| {' | '.join([first, *names])} |", f"|{'---|' * (len(names) + 1)}"]
    for name, cells in rows:
        texts = [text for cell in cells for text in (cell or ["–"] * len(heads))]
        lines.append(f"| {' | '.join([name, *texts])} |")
    return lines


def percentile(values: Sequence[float], share: float) -> float:
    """Returns the smallest value that is not below this share of them (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _versions(results: list[ScenarioResult], last_run: date) -> list[str]:
    """Returns a line for each set of results with the same versions, the largest set first."""
    sets: dict[str, list[str]] = {}
    for result in results:
        sets.setdefault(_measured_with(result.versions), []).append(result.name)
    lines: list[str] = []
    for what, names in sorted(sets.items(), key=lambda entry: -len(entry[1])):
        of = f"{len(names)} scenarios" if not lines else ", ".join(names)
        lines.append(f"- {'all ' if len(sets) == 1 else ''}{of}: {what}")
    return ["## With what, and when", "", *lines, f"- last run on {last_run.isoformat()}", ""]


def _measured_with(versions: Versions) -> str:
    binary = f" (SHA-256 {versions.binary}…)" if versions.binary else ""
    parts = [
        f"tree {versions.revision or UNKNOWN}", f"tachogram {versions.tachogram or UNKNOWN}{binary}",
        f"Linux {versions.kernel or UNKNOWN}", f"BlueZ {versions.bluez or UNKNOWN}",
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
    return ["## Recovery", "", *_table("fault", ["n", "p50", "p99", "longest"], columns, rows), "", note, ""]


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
            *_table("scenario", facts, columns, rows), ""]


def _figures(name: str, columns: list[Column]) -> list[str]:
    """Returns the figures of a scenario as a list, with the values of each version."""
    found = [(column.title, column.results[name].figures) for column in columns if name in column.results]
    keys = list(dict.fromkeys(key for _, figures in found for key in figures))
    return [f"- {key}: " + "; ".join(f"{title}{figures[key]:g}" for title, figures in found if key in figures)
            for key in keys]


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
                 "station-power-cut": "a station with the default configuration, which commits every 10 s"}
    lines = ["## Power cuts", "", "All processes of the guest are killed at a random moment while it records to an ext4 disk."]
    found = {name: _figures(name, columns) for name in recorders}
    if not any(found.values()):
        return []
    for name, figures in found.items():
        if figures:
            lines += ["", f"{recorders[name]}:".capitalize(), "", *figures]
    return [*lines, ""]


def _scenarios(columns: list[Column]) -> list[str]:
    names = sorted({name for column in columns for name in column.results})
    rows = [(name, [_verdict(column.results.get(name)) for column in columns]) for name in names]
    return ["## All scenarios, in full", "", *_table("scenario", ["checks", "result"], columns, rows), ""]


def _verdict(result: ScenarioResult | None) -> list[str] | None:
    if result is None:
        return None
    return [str(result.checks), "passed" if result.passed else f"FAILED: {result.failures[0].splitlines()[0]}"]
