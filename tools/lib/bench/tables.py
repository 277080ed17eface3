"""Tables of figures, as text and as docs/performance.md has them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Limit:
    """A figure with its limit: the target, and in the short form the floor that holds on any machine."""

    name: str
    value: float
    target: float
    floor: float
    unit: str = ""
    at_least: bool = False
    detail: str = ""

    @property
    def aim(self) -> str:
        """The target in words."""
        return f"{'≥' if self.at_least else '≤'} {self.target:g}{self.unit}"

    def passes(self, short: bool) -> bool:
        """Whether the figure meets the target, or in the short form the floor."""
        bound = self.floor if short else self.target
        return self.value >= bound if self.at_least else self.value <= bound

    def __str__(self) -> str:
        return f"{self.name}: {self.value:.4g}{self.unit}, target {self.aim}"


@dataclass(frozen=True)
class Table:
    """A table; the first columns are words, the others figures. `name` is its place in the document."""

    name: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]
    # What misses its target, in words.
    missed: list[str] = field(default_factory=list)
    # Columns of words.
    words: int = 1

    def text(self) -> str:
        """Returns the table for a terminal."""
        lines = [self.header, *self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.header))]
        return "\n".join(self._line(line, widths).rstrip() for line in lines)

    def markdown(self) -> str:
        """Returns the table for the document."""
        rule = ["---" if column < self.words else "---:" for column in range(len(self.header))]
        return "\n".join(["| " + " | ".join(self.header) + " |", "|" + "|".join(rule) + "|",
                          *("| " + " | ".join(row) + " |" for row in self.rows)])

    def _line(self, cells: tuple[str, ...], widths: list[int]) -> str:
        return "  ".join(cell.ljust(width) if column < self.words else cell.rjust(width)
                         for column, (cell, width) in enumerate(zip(cells, widths, strict=True)))


def table_of(described: dict) -> Table:
    """Returns the table that a benchmark printed with --json."""
    rows = [tuple(row) for row in described["rows"]]
    return Table(described["name"], tuple(described["header"]), rows, described["missed"], described["words"])


def verdict(missed: list[str]) -> str:
    """Returns the missed targets in a few words."""
    return f"missed: {'; '.join(missed)}" if missed else "all targets are met"


def as_json(tables: list[Table], **facts: object) -> str:
    """Returns a JSON object for programs: `facts`, and the tables of the document."""
    return json.dumps({**facts, "tables": [asdict(table) for table in tables]})


def large(value: float) -> str:
    """Returns a whole number with grouped digits, as in 1 234 567."""
    return f"{value:,.0f}".replace(",", " ")


def times(value: float | None, digits: int = 2) -> str:
    """Returns a ratio as text, or a dash without a baseline."""
    return "–" if value is None else f"{value:.{digits}f}×"
