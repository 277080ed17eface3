"""Writes docs/images/page.png, the picture of the README: make_picture.py [--binary PATH] [--chromium PATH]

A station plays a bundled capture at ten times real time, and a headless Chromium takes a screenshot of its page when the
five-minute window is full.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

from check import enter_environment  # noqa: E402

PICTURE = ROOT / "docs" / "images" / "page.png"
CAPTURE = ROOT / "Fixtures" / "rest" / "input.btsnoop"
# At ten times real time, a window of five minutes is full after thirty seconds.
SPEED, FULL_SECONDS = "10", 40


def main() -> int:
    """Starts the station, takes the picture, and ends the station."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / ".build" / "release" / "tachogram")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    enter_environment()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        station = subprocess.Popen(
            [options.binary, "station", "--replay", CAPTURE, "--loop", "--speed", SPEED,
             "--set", f"database={folder}/picture.sqlite", "--set", "http.port=0"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            assert station.stdout is not None
            address = next(match[0] for line in station.stdout if (match := re.search(r"http://127\.0\.0\.1:\d+", line)))
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
                context = browser.new_context(viewport={"width": 1200, "height": 760}, locale="en-GB", timezone_id="UTC")
                context.add_init_script("localStorage.tachogram ??= JSON.stringify({ welcomed: true })")
                page = context.new_page()
                page.goto(f"{address}/#/now")
                page.wait_for_timeout(FULL_SECONDS * 1000)
                PICTURE.parent.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=str(PICTURE))
                browser.close()
        finally:
            station.terminate()
            station.wait(10)
    print(PICTURE.relative_to(ROOT), PICTURE.stat().st_size, "bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
