"""The oldest Swift that the package needs: Package.swift names it, everything else agrees."""

from __future__ import annotations

import re
from pathlib import Path

from tree import Findings, Tree

MANIFEST = "Package.swift"
SETUP = "tools/lib/setup"
RULE = "swift"
TOOLS_VERSION = re.compile(r"// swift-tools-version: *(\d+\.\d+)\n")
# What people read, and an image of a container that they copy.
NAMED = re.compile(r"\bSwift\s+(\d+(?:\.\d+)*)\s+or\s+newer|\bswift:(\d+(?:\.\d+)*)\b")
# tools/lib/setup asks Package.swift.
OWN_NUMBER = re.compile(r"^.*minimum_swift=[\"']?\d.*$", re.MULTILINE)


def oldest_swift(root: Path) -> str | None:
    """Returns the version that the manifest names, as 6.2, or `None`."""
    found = TOOLS_VERSION.match((root / MANIFEST).read_text(encoding="utf-8"))
    return found[1] if found else None


def check_swift(tree: Tree) -> Findings:
    """Checks that the README names the oldest version, and that no page, image or script names another."""
    findings = Findings(RULE)
    oldest = oldest_swift(tree.root)
    if oldest is None:
        findings.add(MANIFEST, 1, RULE, "the first line names no version: // swift-tools-version: MAJOR.MINOR")
        return findings
    pages = ["README.md", "CONTRIBUTING.md", *tree.under("docs/", suffix=".md")]
    for page in filter(tree.files.__contains__, pages):
        findings.examined += 1
        text = tree.text(page)
        named = list(NAMED.finditer(text))
        for match in named:
            if (match[1] or match[2]) != oldest:
                line = text.count("\n", 0, match.start()) + 1
                findings.add(page, line, RULE, f"the oldest Swift is {oldest} ({MANIFEST}), not {match[1] or match[2]}")
        if page == "README.md" and not any(match[1] for match in named):
            findings.add(page, 1, RULE, f'does not say "Swift {oldest} or newer"')
    if SETUP in tree.files:
        findings.examined += 1
        setup = tree.text(SETUP)
        if found := OWN_NUMBER.search(setup):
            line = setup.count("\n", 0, found.start()) + 1
            findings.add(SETUP, line, RULE, f"a version of its own: ask {MANIFEST}")
    return findings
