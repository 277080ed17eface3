#!/usr/bin/env python3
"""Prints the notices that the Swift packages in a folder of checkouts ask to be passed on: notices.py FOLDER.

The Apache License (section 4 d) wants the text of a NOTICE file to go with the program.
"""

from __future__ import annotations

import sys
from pathlib import Path


def notices(folder: Path) -> str:
    """Returns all NOTICE files, each under the name of its package."""
    parts = []
    for package in sorted(folder.iterdir(), key=lambda path: path.name.lower()):
        for notice in sorted(package.glob("NOTICE*")):
            text = notice.read_text(encoding="utf-8").strip("\n")
            parts.append(f"{package.name}\n{'=' * len(package.name)}\n\n{text}\n")
    return "\n\n".join(parts)


def main() -> int:
    """Prints them. Returns the exit code."""
    if len(sys.argv) != 2:
        print("usage: notices.py FOLDER", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    text = notices(folder) if folder.is_dir() else ""
    if not text:
        print(f"error: no notices in {folder}; a build fetches the packages that have them", file=sys.stderr)
        return 1
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
