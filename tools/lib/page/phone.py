#!/usr/bin/env python3
"""Goes the whole way of a person with a phone: no command after `tachogram open`.

    tools/test phone [--screenshots FOLDER]

A station of the release build, opened to the network with TLS, finds a strap of a fake Bluetooth daemon that asks for a
passkey. In Chromium: log in by the code, pair, see the first heartbeat, name the strap, take a morning reading, set a marker,
compare two sessions, export a range, restore a snapshot, save a diagnosis. At the end neither passkey nor token nor code is in
the log.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(ROOT / "tools/lib/station"), str(ROOT / "tools/lib/bench"), str(ROOT / "tools/lib")]

from check import enter_environment  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSKEY = "123456"
WAIT_MS = 30_000
# A reading of a minute, with what comes after it.
READING_MS = 100_000


class Phone:
    """The way, a step at a time."""

    def __init__(self, page: Page, folder: Path) -> None:
        self._page, self._folder = page, folder
        page.set_default_timeout(WAIT_MS)
        self._problems: list[str] = []
        page.on("pageerror", lambda error: self._problems.append(f"the page threw {error}"))
        self._base = ""

    def picture(self, name: str) -> None:
        """Saves a picture of the page."""
        self._page.screenshot(path=str(self._folder / f"phone-{name}.png"), full_page=True)

    def log_in(self, address: str) -> None:
        """Opens the address of the code, which logs in once."""
        self._base = address.split("/#")[0]
        self._page.goto(address)
        self._page.get_by_role("heading", name="Welcome").wait_for()
        if "login=" in self._page.url:
            self._problems.append("the code is still in the address")
        self.picture("welcome")

    def pair(self) -> None:
        """Follows the first steps, and pairs the strap with its passkey."""
        page = self._page
        page.get_by_role("button", name="Next", exact=True).click()
        page.get_by_role("link", name="Pair a strap").click()
        page.get_by_role("button", name=re.compile("^Pair ")).first.click()
        page.get_by_label("Passkey").fill(PASSKEY)
        self.picture("passkey")
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("heading", name="is paired").wait_for()
        page.get_by_label("Name", exact=True).fill("Blue strap")
        page.get_by_label("Worn by").fill("Anna")
        self.picture("paired")
        page.get_by_role("button", name="Save, and show what is now").click()
        page.locator(".rate-number", has_text=re.compile("[0-9]")).first.wait_for()
        page.get_by_role("heading", name="Blue strap").wait_for()
        self.picture("first-heartbeat")

    def measure(self) -> None:
        """Takes a morning reading of a minute, and sets a marker.

        The strap has just got a person, for whom another session begins; the reading goes on in it.
        """
        page = self._page
        page.get_by_role("link", name="Morning reading").click()
        page.get_by_label("For").select_option("1")
        page.get_by_role("button", name="Begin", exact=True).click()
        page.get_by_role("timer").wait_for()
        page.get_by_role("heading", name="Result").wait_for(timeout=READING_MS)
        self.picture("reading")
        page.goto(f"{self._base}/#/now")
        page.get_by_role("button", name="Add a marker").click()
        page.get_by_label("Name", exact=True).fill("coffee")
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_role("dialog").wait_for(state="detached")
        page.goto(f"{self._base}/#/history")
        page.locator("a.session", has_text="being recorded").click()
        page.get_by_role("button", name="Delete the marker coffee").wait_for()

    def compare(self) -> None:
        """Compares two sessions that have ended."""
        page = self._page
        page.goto(f"{self._base}/#/history")
        page.locator("a.session").last.click()
        page.get_by_role("button", name="Compare with another session").click()
        page.locator("dialog .choices button").last.click()
        page.get_by_role("columnheader", name="Difference").wait_for()
        self.picture("compare")

    def export(self) -> None:
        """Downloads the sessions of a range of time."""
        page = self._page
        page.goto(f"{self._base}/#/history")
        page.get_by_role("button", name="Export", exact=True).click()
        page.get_by_label("From", exact=True).fill("2020-01-01")
        with page.expect_download() as download:
            page.get_by_role("button", name="Export", exact=True).last.click()
        with zipfile.ZipFile(download.value.path()) as archive:
            names = archive.namelist()
            if archive.testzip() is not None or "sessions.csv" not in names or len(names) < 4:
                self._problems.append(f"the ZIP file holds {names}")

    def restore(self) -> None:
        """Restores a snapshot, and waits for the station that starts again."""
        page = self._page
        page.goto(f"{self._base}/#/restore")
        page.get_by_role("button", name="Restore the snapshot of").first.click()
        page.get_by_role("checkbox").check()
        self.picture("restore")
        page.get_by_role("button", name="Restore", exact=True).click()
        page.get_by_text("The snapshot was restored.").wait_for(timeout=60_000)
        page.goto(f"{self._base}/#/now")
        page.locator(".rate-number", has_text=re.compile("[0-9]")).first.wait_for(timeout=60_000)
        self.picture("after-restore")

    def diagnose(self) -> None:
        """Saves a diagnosis."""
        page = self._page
        page.goto(f"{self._base}/#/doctor")
        page.get_by_role("button", name="Show the diagnosis").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Save", exact=True).click()
        if "Anna" in Path(download.value.path()).read_text():
            self._problems.append("the diagnosis names a person")

    def go(self, address: str) -> list[str]:
        """Goes the whole way. Returns the problems."""
        steps: list[Any] = [lambda: self.log_in(address), self.pair, self.measure, self.compare, self.export, self.restore,
                            self.diagnose]
        names = ["log in", "pair", "measure", "compare", "export", "restore", "diagnose"]
        for name, step in zip(names, steps, strict=True):
            started = time.monotonic()
            try:
                step()
            except Exception as error:  # noqa: BLE001
                self.picture("problem")
                return [*self._problems, f"{name}: {str(error).splitlines()[0]}"]
            print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
        return self._problems


def opened(binary: str, arguments: list[str]) -> tuple[str, str]:
    """Opens the page. Returns the address of the login, on this machine, and the token."""
    done = subprocess.run([binary, "open", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
    login = re.search(r"^ +(https://\S+/#login=\S+)$", done, re.M)
    token = re.search(r"Other devices ask for this token:\n +(\S+)", done)
    if not login or not token:
        raise SystemExit(f"phone: open printed neither a login nor a token:\n{done}")
    return re.sub(r"//[^/]+:(\d+)/", r"//localhost:\1/", login[1]), token[1]


def main() -> int:
    """Runs the trial. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screenshots", type=Path, default=ROOT / ".build" / "screenshots", metavar="FOLDER")
    parser.add_argument("--chromium", default="/usr/bin/chromium", metavar="PATH")
    options = parser.parse_args()
    enter_environment()
    from playwright.sync_api import sync_playwright
    from processes import free_port, settings, station
    from release import release_binary

    binary, fake = release_binary("tachogram"), release_binary("tachogram-fake-bluez")
    options.screenshots.mkdir(parents=True, exist_ok=True)
    capture = ROOT / "Fixtures/rest/input.btsnoop"
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        database = folder / "tachogram.sqlite"
        for case in ("rest", "exercise"):
            subprocess.run([binary, "replay", str(ROOT / "Fixtures" / case / "input.btsnoop"), "--database", str(database)],
                           check=True, stdout=subprocess.DEVNULL)
        port = free_port()
        with fake_daemon(fake, capture) as bus:
            given = settings(f"radio.bus={bus}", f"http.port={port}")
            address, token = opened(binary, ["--database", str(database), *given])
            with station(binary, folder, given, port=None) as running:
                browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": 390, "height": 844}, ignore_https_errors=True)
                problems = Phone(page, options.screenshots).go(address)
                browser.close()
                running.end()
        log = (folder / "station.log").read_text(errors="replace")
        code = address.split("login=")[1]
        problems += [f"a secret is in the log: {what}" for what, text in
                     (("passkey", PASSKEY), ("token", token), ("code", code)) if text in log]
    for problem in problems:
        print(problem)
    print(f"phone: {'no' if not problems else len(problems)} problems; pictures in {options.screenshots}", file=sys.stderr)
    return 1 if problems else 0


def fake_daemon(fake: str, capture: Path) -> Any:
    """Runs a fake Bluetooth daemon with a strap that asks for a passkey."""
    from processes import straps

    return straps(fake, capture, 1, "--secure")


if __name__ == "__main__":
    raise SystemExit(main())
