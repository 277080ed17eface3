"""No two folders of a target depend on each other, by whatever way: told from the names of top-level types."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from reach import reach
from swift_source import NOMINAL_KINDS
from tree import Findings, Tree

_NAME = re.compile(r"\b[A-Z]\w*\b")


@dataclass(frozen=True, order=True)
class Use:
    """A use of a type of another folder."""

    path: str
    line: int
    name: str


Graph = dict[str, dict[str, Use]]


def check_folders(tree: Tree) -> Findings:
    """Checks that the folders of each target have an order without uses of later ones."""
    findings = Findings("folders")
    targets: dict[str, list[str]] = defaultdict(list)
    for path in tree.under("Sources/", suffix=".swift"):
        targets[path.split("/")[1]].append(path)
    for target, paths in sorted(targets.items()):
        findings.examined += len(paths)
        graph = _graph(tree, paths)
        for circle in _circles(graph):
            ways = [(use, folder, other) for folder in circle for other, use in graph[folder].items() if other in circle]
            for use, folder, other in ways:
                message = f"{folder} uses {use.name} of {other}, which depends on {folder} as well"
                findings.add(use.path, use.line, "folders", message)
    return findings


def _folder(path: str) -> str:
    """Returns the folder of a file within its target; `.` for that of the target itself."""
    parts = path.split("/")
    return parts[2] if len(parts) > 3 else "."


def _graph(tree: Tree, paths: list[str]) -> Graph:
    """Returns for each folder the folders that it uses, with the first use of each."""
    owners: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        for declared in tree.swift(path).declarations():
            if declared.kind in (*NOMINAL_KINDS, "typealias") and not declared.is_private:
                owners[declared.name].add(_folder(path))
    graph: Graph = defaultdict(dict)
    for path in paths:
        source, folder = tree.swift(path), _folder(path)
        for found in _NAME.finditer(source.code):
            # A name that several folders declare says nothing.
            if len(owner := owners.get(found[0], set())) != 1 or folder in owner:
                continue
            use = Use(path, source.line_of(found.start()), found[0])
            graph[folder].setdefault(next(iter(owner)), use)
    return graph


def _circles(graph: Graph) -> list[list[str]]:
    """Returns the sets of folders that depend on each other."""
    below = {folder: reach(graph, folder) for folder in graph}
    circles = {tuple(sorted(b for b in below[a] if a in below.get(b, set()))) for a in below if a in below[a]}
    return [list(circle) for circle in sorted(circles)]
