"""The checks of the tree that need no compiler: `check_tree.py [--root DIR] [NAME …]`, all of them without a name."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from folder_cycles import check_folders
from manifest import check_manifest
from style_rules import check_style
from swift_version import check_swift
from threat_model import check_threats
from tree import Findings, Tree

MAXIMUM_LINES = 400

FORBIDDEN_EVERYWHERE = re.compile(
    r"(^|/)(Package\.resolved$|\.build([-_][^/]*)?/|\.swiftpm/|__pycache__/|\.venv/|\.DS_Store$)|\.(pyc|o|a|so)$"
)
CAPTURES_AND_DATABASES = re.compile(
    r"\.(sqlite3?(-wal|-shm|-journal)?|db|btsnoop|pcap|pcapng|pklg|cfa|log|last)$", re.IGNORECASE
)


# Of the README; tools/test make-picture writes them.
PICTURES = frozenset({"docs/images/page.png", "Sources/CDashboardFiles/page/icons/apple-touch-icon.png"})
# Embedded in the program; a README beside them tells where they are from.
WEIGHTS = frozenset({
    f"Sources/CSleepModels/weights/{name}.bin" for name in ("ws-gru-mesa", "wrn-gru-mesa", "wrn-gru-mesa-weighted")})

def check_length(tree: Tree) -> Findings:
    """Checks that no source file, test or tool is longer than the limit."""
    findings = Findings("length")
    for path in tree.under("Sources/", "Tests/", "tools/", ".ci/"):
        if not _is_source(tree, path):
            continue
        findings.examined += 1
        lines = len(tree.text(path).splitlines())
        if lines > MAXIMUM_LINES:
            findings.add(path, MAXIMUM_LINES + 1, "length", f"{lines} lines; {MAXIMUM_LINES} is the ceiling: split it")
    return findings


def check_git(tree: Tree) -> Findings:
    """Checks that git contains only sources and fixtures, and no products of a build or a run."""
    findings = Findings("git")
    for path in sorted({*tree.files, *tree.tracked}):
        findings.examined += 1
        in_fixtures = path.startswith("Fixtures/")
        if FORBIDDEN_EVERYWHERE.search(path):
            findings.add(path, 1, "git", "made by a build; it does not belong into git")
        elif CAPTURES_AND_DATABASES.search(path) and not (in_fixtures and "sqlite" not in path):
            findings.add(path, 1, "git", "captures belong into Fixtures/, databases nowhere into git")
        elif not in_fixtures and path not in PICTURES | WEIGHTS and _is_binary(tree, path):
            findings.add(path, 1, "git", "a binary file outside Fixtures/")
    return findings


def _is_source(tree: Tree, path: str) -> bool:
    if path.endswith((".swift", ".py", ".sh", ".c", ".h")):
        return True
    return "." not in Path(path).name and tree.text(path).startswith("#!")


def _is_binary(tree: Tree, path: str) -> bool:
    file = tree.root / path
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return b"\0" in stream.read(65536)


CHECKS = {
    "length": check_length, "folders": check_folders, "style": check_style, "git": check_git, "threats": check_threats,
    "manifest": check_manifest, "swift": check_swift,
}


def main() -> int:
    """Runs the named checks and returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CHECKS))
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in CHECKS]
    if unknown:
        parser.error(f"no check is called {', '.join(unknown)}")
    tree, failed = Tree(arguments.root), False
    for name in arguments.names or CHECKS:
        findings = CHECKS[name](tree)
        if findings.examined == 0:
            findings.add(".", 1, name, "there was nothing to examine")
        for violation in sorted(findings.violations):
            print(violation)
        failed = failed or bool(findings.violations)
        verdict = f"{len(findings.violations)} violations" if findings.violations else "ok"
        print(f"{name}: {findings.examined} files examined, {verdict}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
