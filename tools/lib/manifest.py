"""What Package.swift says, as the package manager reads it: the graph of the targets, and the flags that have no setting.

manifest.py --draw writes the graph into docs/architecture.md.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from reach import reach
from tree import Findings, Tree

MANIFEST, PAGE = "Package.swift", "docs/architecture.md"
BEGIN, END = "<!-- drawn: targets -->", "<!-- end -->"
_DRAWN = re.compile(f"{re.escape(BEGIN)}\n(.*?){re.escape(END)}", re.DOTALL)
# By tool and flags: what no setting of the package manager does.
ALLOWED_FLAGS = {
    ("swift", "-cross-module-optimization"): "the stages are small functions in many modules",
    ("swift", "-O"): "tests replay whole sessions, which unoptimised stages would make take minutes",
    ("linker", "-Xlinker --no-export-dynamic"): "nobody links against the program",
}


def check_manifest(tree: Tree) -> Findings:
    """Checks that the graph in the document is that of the manifest, and that each unsafe flag is allowed."""
    findings = Findings("manifest")
    try:
        targets = _targets(tree.root)
    except subprocess.CalledProcessError as error:
        findings.add(MANIFEST, 1, "manifest", f"the package manager does not read it: {error.stderr.strip()[-300:]}")
        return findings
    findings.examined = len(targets)
    for target in targets:
        for setting in target["settings"]:
            flags = " ".join(setting["kind"].get("unsafeFlags", {}).get("_0", []))
            if flags and (setting["tool"], flags) not in ALLOWED_FLAGS:
                findings.add(MANIFEST, 1, "manifest", f"{target['name']} has the unsafe flags {flags}: tools/lib/manifest.py")
    text = tree.text(PAGE) if (tree.root / PAGE).is_file() else ""
    found = _DRAWN.search(text)
    if found is None:
        findings.add(PAGE, 1, "manifest", f"there is no place for the graph of the targets: {BEGIN} and {END}")
    elif found[1] != _drawing(targets):
        line = text.count("\n", 0, found.start()) + 1
        findings.add(PAGE, line, "manifest", "the graph is not that of Package.swift: tools/check --fix draws it")
    return findings


def _targets(root: Path) -> list[dict[str, Any]]:
    done = subprocess.run(
        ["swift", "package", "--package-path", root, "dump-package"], check=True, capture_output=True, text=True)
    targets: list[dict[str, Any]] = json.loads(done.stdout)["targets"]
    return targets


def _edges(targets: list[dict[str, Any]]) -> dict[str, set[str]]:
    """Returns the compiled targets without tests, each with its dependencies."""
    names = {target["name"] for target in targets if target["type"] in ("regular", "executable")}
    return {
        target["name"]: {one["byName"][0] for one in target["dependencies"] if "byName" in one} & names
        for target in targets if target["name"] in names
    }


def _drawing(targets: list[dict[str, Any]]) -> str:
    """Returns the graph for Mermaid, without edges that follow from others."""
    edges = _edges(targets)
    lines = ["```mermaid", "graph BT"]
    for name, others in edges.items():
        implied = set().union(*(reach(edges, other) for other in others))
        lines += [f"  {other} --> {name}" for other in sorted(others - implied)]
    return "\n".join([*lines, "```", ""])


def main() -> int:
    """Draws the graph."""
    root = Path(__file__).resolve().parents[2]
    text = (root / PAGE).read_text(encoding="utf-8")
    drawn = _DRAWN.sub(lambda _: f"{BEGIN}\n{_drawing(_targets(root))}{END}", text)
    if drawn != text:
        (root / PAGE).write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
