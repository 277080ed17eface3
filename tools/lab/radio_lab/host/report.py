"""docs/reliability.md: what the lab measured, as a page for people."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from radio_lab.host.failure import LabFailure
from radio_lab.result import ScenarioResult

HEAD = """# Reliability, measured

Written by `tools/radio-lab --report docs/reliability.md` from the results of the last runs; not to be edited by hand.
The lab boots a real kernel and a real Bluetooth daemon, lets virtual straps notify, and breaks things
(tools/lab/README.md). Each time is taken in the guest, from the moment the fault is over (the strap advertises again,
the daemon or the adapter is back; for silence: from its beginning) to the first notification in the ledger.
"""


def write_report(results: list[ScenarioResult], file: Path, last_run: date) -> None:
    """Writes the page. Raises LabFailure when there is nothing to write of."""
    chosen = _full_before_short(results)
    if not any(result.recoveries for result in chosen):
        raise LabFailure("there are no results yet: run tools/radio-lab first")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([HEAD, *_versions(chosen, last_run), *_recoveries(chosen), *_losses(chosen),
                               *_flood(chosen), *_cuts(chosen), *_scenarios(chosen)]))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is not below this share of them (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _full_before_short(results: list[ScenarioResult]) -> list[ScenarioResult]:
    """One result a scenario: that of the full form where there is one."""
    best: dict[str, ScenarioResult] = {}
    for result in sorted(results, key=lambda result: not result.is_short):
        best[result.name] = result
    return [best[name] for name in sorted(best)]


def _versions(results: list[ScenarioResult], last_run: date) -> list[str]:
    seen = sorted({(r.versions.kernel, r.versions.bluez, r.versions.tachogram) for r in results if r.versions.kernel})
    lines = [f"- Linux {kernel}, BlueZ {bluez}, tachogram {tachogram}" for kernel, bluez, tachogram in seen]
    return ["## With what, and when", "", *lines, f"- last run on {last_run.isoformat()}", ""]


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
    cut = next((result for result in results if result.name == "power-cut"), None)
    if cut is None:
        return []
    what = "All processes of the guest are killed at a random moment while it records to an ext4 disk."
    return ["## Power cuts", "", what, "", *(f"- {name}: {value:g}" for name, value in cut.figures.items()), ""]


def _scenarios(results: list[ScenarioResult]) -> list[str]:
    lines = ["## All scenarios", "", "| scenario | form | checks | result |", "|---|---|---|---|"]
    for result in results:
        verdict = "passed" if result.passed else f"FAILED: {result.failures[0].splitlines()[0]}"
        lines.append(f"| {result.name} | {'short' if result.is_short else 'full'} | {result.checks} | {verdict} |")
    return [*lines, ""]
