"""docs/reliability.md: what the lab measured, as a page for people."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
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
    """Writes the page of the scenarios with these names. Raises LabFailure when one of them has no result of its full
    form: what was done in short stands for nothing on this page."""
    full = {result.name: result for result in results if not result.is_short}
    missing = [name for name in sorted(names) if name not in full]
    if missing:
        raise LabFailure(
            f"{len(missing)} of {len(names)} scenarios have no result of their full form. Run them first: "
            f"tools/lab --scenario {' '.join(missing)}"
        )
    chosen = [full[name] for name in sorted(names)]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([HEAD, *_versions(chosen, last_run), *_recoveries(chosen), *_losses(chosen),
                               *_flood(chosen), *_cuts(chosen), *_scenarios(chosen)]))


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


def _recoveries(results: list[ScenarioResult]) -> list[str]:
    lines = ["## Recovery", "", "| fault | n | p50 | p99 | longest |", "|---|---|---|---|---|"]
    for result in results:
        for fault, seconds in result.recoveries.items():
            lines.append(
                f"| {fault} | {len(seconds)} | {statistics.median(seconds):.2f} s | {percentile(seconds, 0.99):.2f} s "
                f"| {max(seconds):.2f} s |"
            )
    note = (
        "The p99 of fewer than a hundred is the longest of them. A fault after which nothing came within a minute is\n"
        "not in here: its scenario has failed, below."
    )
    return [*lines, "", note, ""]


def _losses(results: list[ScenarioResult]) -> list[str]:
    lines = [
        "## Notifications on links that were up", "",
        "What straps handed to a link that was up, against the ledger, byte for byte and in order.", "",
        "| scenario | sent | lost | doubled |", "|---|---|---|---|",
    ]
    counted = [result for result in results if result.sent]
    lines += [f"| {result.name} | {result.sent} | {result.lost} | {result.doubled} |" for result in counted]
    sums = [sum(getattr(result, name) for result in counted) for name in ("sent", "lost", "doubled")]
    return [*lines, f"| all | {sums[0]} | {sums[1]} | {sums[2]} |", ""]


def _flood(results: list[ScenarioResult]) -> list[str]:
    flood = next((result for result in results if result.name == "flood"), None)
    if flood is None:
        return []
    what = (
        "The strap of `flood` sends 1000 values a second, and waits while the kernel's queue to bluetoothd is half\n"
        "full: what does not fit into it, the kernel drops before any program sees it. Strap, kernel, bluetoothd\n"
        "and tachogram share one processor. What was reached:"
    )
    return [what, "", *(f"- {name}: {value:g}" for name, value in flood.figures.items()), ""]


def _cuts(results: list[ScenarioResult]) -> list[str]:
    recorders = {"power-cut": "`record`, which commits every second",
                 "station-power-cut": "a station with the default configuration, which commits every 10 s"}
    cut = [result for result in results if result.name in recorders]
    if not cut:
        return []
    lines = ["## Power cuts", "", "All processes of the guest are killed at a random moment while it records to an ext4 disk."]
    for result in cut:
        lines += ["", f"{recorders[result.name]}:".capitalize(), ""]
        lines += [f"- {name}: {value:g}" for name, value in result.figures.items()]
    return [*lines, ""]


def _scenarios(results: list[ScenarioResult]) -> list[str]:
    lines = ["## All scenarios, in full", "", "| scenario | checks | result |", "|---|---|---|"]
    for result in results:
        verdict = "passed" if result.passed else f"FAILED: {result.failures[0].splitlines()[0]}"
        lines.append(f"| {result.name} | {result.checks} | {verdict} |")
    return [*lines, ""]
