"""Which target may import what: the table in docs/architecture.md, held against the import lines in Sources/."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree import Findings, Tree

TABLE = "docs/architecture.md"
HEADER = re.compile(r"^\|\s*target\s*\|.*\|\s*modules of this package\s*\|\s*modules from outside\s*\|\s*$")

# Parts of the toolchain's standard library: no target needs leave to import them.
STANDARD_LIBRARY = {"Swift", "Synchronization", "RegexBuilder"}
# One library under the names that it has on different systems.
C_LIBRARY = {"Glibc", "Musl", "Android", "Darwin"}


@dataclass(frozen=True)
class Row:
    """What one target may import."""

    target: str
    line: int
    allowed: frozenset[str]


def check_imports(tree: Tree) -> Findings:
    """Every import line is one that the table allows, and the table has exactly the targets that exist."""
    findings = Findings("imports")
    rows = _read_table(tree, findings)
    targets = {path.split("/")[1] for path in tree.under("Sources/", suffix=".swift")}
    for target in sorted(targets - rows.keys()):
        findings.add(TABLE, 1, "imports", f"the table has no row for the target {target}")
    for target in sorted(rows.keys() - targets):
        findings.add(TABLE, rows[target].line, "imports", f"there is no target {target} in Sources/")
    for path in tree.under("Sources/", suffix=".swift"):
        findings.examined += 1
        row = rows.get(path.split("/")[1])
        if row is None:
            continue
        for module, line in tree.swift(path).imports():
            if module not in row.allowed | STANDARD_LIBRARY:
                findings.add(path, line, "imports", f"{row.target} may not import {module}: {TABLE}")
    return findings


def _read_table(tree: Tree, findings: Findings) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    inside = False
    lines = tree.text(TABLE).splitlines() if (tree.root / TABLE).is_file() else []
    for number, line in enumerate(lines, start=1):
        if HEADER.match(line):
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and not re.match(r"^\|\s*:?-", line):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            names = re.findall(r"`([\w-]+)`", cells[0])
            allowed = set(re.findall(r"`(\w+)`", cells[-2]) + re.findall(r"`(\w+)`", cells[-1]))
            allowed |= C_LIBRARY if allowed & C_LIBRARY else set()
            if len(names) != 1 or names[0] in rows:
                findings.add(TABLE, number, "imports", "a row names one target, and each target has one row")
                continue
            rows[names[0]] = Row(names[0], number, frozenset(allowed))
    if not rows:
        findings.add(TABLE, 1, "imports", "the table of imports was not found")
    return rows
