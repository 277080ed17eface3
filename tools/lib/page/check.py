#!/usr/bin/env python3
"""Opens every view of the page in a headless Chromium, looks for what is wrong, and keeps screenshots.

    tools/test page [BASE_URL] [--token TOKEN] [--freeze PID] [--delete]
                        [--views NAME …] [--steps NAME …] [--screenshots FOLDER]

Without a base it starts the mock station, and tests what only that can do: an empty station, the log-in. With
`--delete` a real station loses its latest session at the end; with `--freeze` it stops the process of a real station
for a while, and expects the page to turn stale. It needs Chromium (Debian's package is enough); what it needs from PyPI
is installed below .build the first time.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(ROOT / "tools" / "lib")]


def enter_environment() -> None:
    """Continues in the Python that has Playwright, which is installed first if it is missing."""
    from python_environment import enter

    enter("playwright", HERE / "requirements.txt", ROOT / ".build" / "environments")


def arguments() -> argparse.Namespace:
    """Returns the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", nargs="?", help="where the page is; by default the mock is started")
    parser.add_argument("--token", help="to log in with, where the station wants it")
    parser.add_argument("--freeze", type=int, metavar="PID", help="the station's process, to see the page turn stale")
    parser.add_argument("--delete", action="store_true", help="also delete the station's latest session for good")
    parser.add_argument("--views", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--steps", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--screenshots", type=Path, default=ROOT / ".build" / "screenshots", metavar="FOLDER")
    parser.add_argument("--chromium", default="/usr/bin/chromium", metavar="PATH")
    return parser.parse_args()


def main() -> int:
    """Runs the checks. Returns the exit code."""
    options = arguments()
    enter_environment()
    from page_checks import run

    return run(options)


if __name__ == "__main__":
    raise SystemExit(main())
