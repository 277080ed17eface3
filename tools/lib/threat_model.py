"""Compares the tables of docs/threat_model.md with the tests and tools that exist: every defence names what tests it."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from tree import Findings, Tree

DOCUMENT = "docs/threat_model.md"
RULE = "threats"
HEADER = re.compile(r"^\|\s*threat\s*\|\s*defence\s*\|\s*tested by\s*\|\s*$")
RULER = re.compile(r"^\|\s*:?-")
CODE = re.compile(r"`([^`]+)`")


def check_threats(tree: Tree) -> Findings:
    """Checks that each row names at least one suite or tool, and that all named ones exist."""
    findings = Findings(RULE)
    if not (tree.root / DOCUMENT).is_file():
        return findings
    suites = {PurePosixPath(path).stem for path in tree.under("Tests/", suffix="Tests.swift")}
    inside = False
    for number, line in enumerate(tree.text(DOCUMENT).splitlines(), start=1):
        if not line.startswith("|"):
            inside = False
        elif HEADER.match(line):
            inside = True
        elif not inside:
            findings.add(DOCUMENT, number, RULE, "a table of threats has the columns threat, defence, tested by")
        elif not RULER.match(line):
            findings.examined += 1
            _check_row(tree, suites, findings, number, line)
    return findings


def _check_row(tree: Tree, suites: set[str], findings: Findings, number: int, line: str) -> None:
    cells = line.strip().strip("|").split("|")
    names = CODE.findall(cells[-1]) if len(cells) == 3 else []
    if not names:
        findings.add(DOCUMENT, number, RULE, "the row names no test that holds the defence")
    for name in names:
        # `tools/test kills` is the file tools/lib/test/kills.
        command = re.sub(r"^tools/(\w+) ([\w-]+)$", r"tools/lib/\1/\2", name)
        if name not in suites and command not in tree.files:
            findings.add(DOCUMENT, number, RULE, f"there is no suite or tool {name}")
