"""The columns of the page of reliability: one for each version of bluetoothd."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from radio_lab.result import ScenarioResult

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Column:
    """The results with one version of BlueZ, by scenario. `title` is empty if there is only one version."""

    version: str
    title: str
    results: dict[str, ScenarioResult]


def columns_of(results: Sequence[ScenarioResult]) -> list[Column]:
    """Returns a column for each version, the oldest first."""
    versions = sorted({result.versions.bluez for result in results}, key=_order)
    return [Column(version or UNKNOWN, f"BlueZ {version or UNKNOWN}" if len(versions) > 1 else "",
                   {result.name: result for result in results if result.versions.bluez == version})
            for version in versions]


def table(first: str, heads: Sequence[str], columns: Sequence[Column],
          rows: Sequence[tuple[str, Sequence[Sequence[str] | None]]]) -> list[str]:
    """Returns a table with the cells of each version under the same heads. Missing cells are dashes. A head is left out
    if it is the only one and the version says what the column is."""
    names = [_head(column, head, is_first=index == 0, is_only=len(heads) == 1)
             for column in columns for index, head in enumerate(heads)]
    lines = [f"| {' | '.join([first, *names])} |", f"|{'---|' * (len(names) + 1)}"]
    for name, cells in rows:
        texts = [text for cell in cells for text in (cell or ["–"] * len(heads))]
        lines.append(f"| {' | '.join([name, *texts])} |")
    return lines


def _head(column: Column, head: str, is_first: bool, is_only: bool) -> str:
    if not (column.title and is_first):
        return head
    return column.title if is_only else f"{column.title}: {head}"


def _order(version: str) -> list[int]:
    """Returns the order of a version, such as 5.66."""
    return [int(part) for part in version.split(".") if part.isdigit()]
