"""What is checked of the page."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import signal
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Error, sync_playwright

import mock_server
from page_browser import CUT_OFF, OVERFLOW, RUNNING_ANIMATIONS, SMALL_TARGETS, Findings, Watched, watched_page
from page_modules import CASES

VIEWS = ("now", "history", "session", "trends", "breathing", "settings", "welcome")
MOST_BYTES = 150_000
STALE_WITHIN_SECONDS = 5.0
ENHANCED_CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast-enhanced"]}}


class Checks:
    """The checks of one station."""

    def __init__(self, browser: Browser, base: str, options: argparse.Namespace, mode: Callable[[str], None] | None):
        self.browser, self.base, self.mode = browser, base.rstrip("/"), mode
        self.folder: Path = options.screenshots
        self.token: str | None = options.token
        self.freeze: int | None = options.freeze
        self.views = options.views or VIEWS
        self.findings = Findings()

    # MARK: Getting there

    def open(self, watched: Watched, view: str) -> None:
        """Opens a view; `session` is the latest session that has ended."""
        address = view if view != "session" else self._session(watched)
        watched.page.goto(f"{self.base}/#/{address}")
        if self.token and watched.page.locator("form.login").count():
            watched.page.fill("form.login input", self.token)
            watched.page.click("form.login button")
        watched.settle()

    def _session(self, watched: Watched) -> str:
        answer = watched.page.request.get(f"{self.base}/api/v1/sessions?limit=20", headers=self._headers())
        ended = [each for each in answer.json().get("sessions", []) if not each["isRunning"] and "rmssd" in each]
        return f"history/{ended[0]['id']}" if ended else "history"

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    # MARK: Every view

    def appearance(self) -> None:
        """Every view in every size and theme: errors, accessibility, targets, overflow, and a picture of it."""
        for size in ("phone", "desktop"):
            for scheme in ("light", "dark"):
                with watched_page(self.browser, size, color_scheme=scheme) as watched:
                    for view in self.views:
                        self.open(watched, view)
                        self._inspect(watched, f"{view}, {size}, {scheme}")
                        watched.screenshot(self.folder / f"{view}-{size}-{scheme}.png")

    def _inspect(self, watched: Watched, where: str) -> None:
        problems = watched.take_problems()
        problems += watched.page.evaluate(OVERFLOW) + watched.page.evaluate(SMALL_TARGETS)
        self.findings.add(where, problems + watched.axe())

    def large_text(self) -> None:
        """Text of twice its size fits, on the smallest screen."""
        with watched_page(self.browser, "phone") as watched:
            for view in self.views:
                self.open(watched, view)
                watched.page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
                watched.page.wait_for_timeout(400)
                problems = watched.page.evaluate(OVERFLOW) + watched.page.evaluate(CUT_OFF)
                self.findings.add(f"{view}, text of 200 %", problems + watched.take_problems())
                watched.screenshot(self.folder / f"{view}-large-text.png")

    def contrast(self) -> None:
        """7:1 for those who ask for more."""
        for scheme in ("light", "dark"):
            with watched_page(self.browser, "desktop", color_scheme=scheme, contrast="more") as watched:
                for view in self.views:
                    self.open(watched, view)
                    self.findings.add(f"{view}, more contrast, {scheme}", watched.axe(ENHANCED_CONTRAST))

    def stillness(self) -> None:
        """Nothing moves for those who want it so, an exercise included."""
        with watched_page(self.browser, "phone", reduced_motion="reduce") as watched:
            for view in self.views:
                self.open(watched, view)
                if view == "breathing":
                    watched.page.get_by_role("button", name="Begin").click()
                    watched.page.wait_for_selector(".pacer.still")
                watched.page.wait_for_timeout(1200)
                self.findings.add(f"{view}, reduced motion", watched.page.evaluate(RUNNING_ANIMATIONS))
                if view == "breathing":
                    watched.screenshot(self.folder / "breathing-still.png")

    # MARK: Use

    def modules(self) -> None:
        """The modules of the page by themselves."""
        with watched_page(self.browser) as watched:
            watched.page.goto(f"{self.base}/vendor/LICENSE-dygraphs.txt")
            for name, body in CASES.items():
                problems = watched.page.evaluate(f"async () => {{ const load = (path) => import(path); {body} }}")
                self.findings.add(name, problems)

    def keyboard(self) -> None:
        """The skip link comes first, then every view; each opens with Enter and gives the focus to its heading."""
        with watched_page(self.browser) as watched:
            self.open(watched, "now")
            reached = []
            for _ in range(12):
                watched.page.keyboard.press("Tab")
                reached.append(watched.page.evaluate("() => document.activeElement.textContent.trim()"))
            names = ["Now", "History", "Trends", "Breathing", "Settings"]
            problems = [f"{name} is not reached by Tab" for name in names if name not in reached]
            if not reached[0].startswith("Skip"):
                problems.append("the skip link is not the first")
            for name in names[1:]:
                watched.page.get_by_role("navigation").get_by_role("link", name=name).focus()
                watched.page.keyboard.press("Enter")
                watched.settle()
                heading = watched.page.evaluate("() => document.activeElement.textContent")
                if heading != name:
                    problems.append(f"after Enter on {name} the focus is on {heading[:40]!r}")
            self.findings.add("keyboard", problems + watched.take_problems())

    def exercise(self) -> None:
        """Paced breathing runs, and gives feedback where a strap is live."""
        with watched_page(self.browser, "phone") as watched:
            self.open(watched, "breathing")
            watched.page.get_by_role("button", name="Begin").click()
            watched.page.wait_for_selector(".breath-word:has-text('Breathe out')", timeout=8000)
            watched.screenshot(self.folder / "breathing-exercise.png")
            problems = watched.axe() + watched.take_problems()
            watched.page.get_by_role("button", name="End").click()
            watched.page.wait_for_selector("h2:has-text('Done')")
            self.findings.add("exercise", problems)

    def live(self) -> None:
        """The heart rate is a number, and the trace moves."""
        with watched_page(self.browser) as watched:
            self.open(watched, "now")
            rate = watched.page.locator(".rate-number").first
            rate.wait_for(timeout=30_000)
            text = rate.inner_text()
            before = watched.page.evaluate("() => document.querySelector('.trace canvas').toDataURL()")
            watched.page.wait_for_timeout(3000)
            moved = before != watched.page.evaluate("() => document.querySelector('.trace canvas').toDataURL()")
            problems = [] if text.isdigit() else [f"the heart rate is {text!r}"]
            problems += [] if moved else ["the trace does not move"]
            problems += [] if watched.page.locator(".strap.stale").count() == 0 else ["a strap is stale"]
            if self.mode:
                problems += self._turns_stale(watched, lambda: self.mode("silent"), lambda: self.mode("normal"))
            elif self.freeze:
                pid = self.freeze
                problems += self._turns_stale(
                    watched, lambda: os.kill(pid, signal.SIGSTOP), lambda: os.kill(pid, signal.SIGCONT))
            self.findings.add("live", problems)

    def _turns_stale(self, watched: Watched, silence: Callable[[], None], wake: Callable[[], None]) -> list[str]:
        silence()
        begun = time.monotonic()
        try:
            watched.page.wait_for_selector(".strap.stale .stale-note:visible", timeout=9000)
            seconds = time.monotonic() - begun
            watched.screenshot(self.folder / "now-stale.png")
            problems = watched.axe()
        except Error:
            return ["it does not turn stale when nothing comes"]
        finally:
            wake()
        # What came just before the silence counts from its own moment: up to a second earlier.
        if seconds > STALE_WITHIN_SECONDS:
            problems.append(f"it took {seconds:.1f} s to turn stale")
        try:
            watched.page.wait_for_selector(".strap:not(.stale)", timeout=15_000)
        except Error:
            problems.append("it stays stale when readings come again")
        return problems

    # MARK: What only the mock does

    def modes(self) -> None:
        """One strap alone, straps that are not heard, an empty station, and the log-in."""
        assert self.mode
        for mode, views in (("single", ("now",)), ("stale", ("now",)), ("empty", self.views)):
            self.mode(mode)
            for size, scheme in (("phone", "light"), ("desktop", "dark")):
                with watched_page(self.browser, size, color_scheme=scheme) as watched:
                    for view in views:
                        self.open(watched, view)
                        self._inspect(watched, f"{view}, {mode}, {size}, {scheme}")
                        watched.screenshot(self.folder / f"{view}-{mode}-{size}-{scheme}.png")
        self.mode("locked")
        for size, scheme in (("phone", "dark"), ("desktop", "light")):
            with watched_page(self.browser, size, color_scheme=scheme) as watched:
                self._log_in(watched, f"login-{size}-{scheme}")
        self.mode("normal")

    def _log_in(self, watched: Watched, name: str) -> None:
        watched.ignored = ("401",)
        watched.page.goto(f"{self.base}/#/now")
        watched.page.wait_for_selector("form.login")
        problems = watched.axe()
        for token in ("wrong", mock_server.TOKEN):
            watched.page.fill("form.login input", token)
            watched.page.click("form.login button")
            if token == "wrong":
                watched.page.wait_for_selector("form.login [role=alert]")
                watched.screenshot(self.folder / f"{name}.png")
        try:
            watched.page.wait_for_selector(".rate-number", timeout=8000)
        except Error:
            problems.append("the right token opens nothing")
        self.findings.add(name, problems + watched.take_problems())

    def deletion(self) -> None:
        """A deletion says what it would delete before it does."""
        with watched_page(self.browser, "phone") as watched:
            self.open(watched, "settings")
            watched.page.get_by_role("button", name="Delete everything").click()
            watched.page.wait_for_selector("dialog .facts")
            problems = watched.axe()
            watched.screenshot(self.folder / "deletion.png")
            sure = watched.page.get_by_role("button", name="Delete for good")
            problems += [] if sure.is_disabled() else ["it can be deleted without saying so twice"]
            watched.page.keyboard.press("Escape")
            try:
                watched.page.wait_for_selector("dialog", state="detached", timeout=3000)
            except Error:
                problems.append("Escape does not close the dialog")
            self.findings.add("deletion", problems + watched.take_problems())


def transferred() -> tuple[int, int]:
    """Bytes of the whole page, as they are and compressed."""
    files = [file.read_bytes() for file in sorted(mock_server.PAGE.rglob("*")) if file.is_file()]
    return sum(map(len, files)), sum(len(gzip.compress(each)) for each in files)


def run(options: argparse.Namespace) -> int:
    """Runs all checks, tells the findings, and returns the exit code."""
    base, mode = options.base, None
    if base is None:
        server = mock_server.start()
        base = f"http://127.0.0.1:{server.server_address[1]}"

        def mode(name: str) -> None:
            json.load(urllib.request.urlopen(f"{base}/mock/{name}"))

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        checks = Checks(browser, base, options, mode)
        steps = [checks.modules, checks.appearance, checks.large_text, checks.contrast, checks.stillness,
                 checks.keyboard, checks.exercise, checks.live]
        if mode:
            steps += [checks.deletion, checks.modes]
        for step in steps:
            begun = time.monotonic()
            try:
                step()
            except Error as error:
                checks.findings.add(step.__name__, [f"broke off: {str(error).splitlines()[0]}"])
            print(f"{step.__name__}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        browser.close()
    raw, packed = transferred()
    if packed > MOST_BYTES:
        checks.findings.add("size", [f"{packed} bytes compressed; {MOST_BYTES} are the most"])
    for problem in checks.findings.problems:
        print(problem)
    count = len(checks.findings.problems)
    print(f"page: {checks.findings.looked_at} looks, {count or 'no'} problems; {raw} bytes, {packed} compressed; "
          f"screenshots in {options.screenshots}", file=sys.stderr)
    return 1 if count else 0
