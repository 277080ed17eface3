"""What is checked of the page."""

from __future__ import annotations

import argparse
import gzip
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Error, sync_playwright

from mock_station import ROOT, MockStation, mock_station
from page_access import AccessChecks
from page_browser import CUT_OFF, OVERFLOW, RUNNING_ANIMATIONS, SMALL_TARGETS, Findings, Watched, watched_page
from page_editing import EditingChecks
from page_modules import CASES
from page_nights import NightChecks
from page_outlets import OutletChecks
from page_use import UseChecks

VIEWS = ("now", "history", "session", "compare", "nights", "night", "trends", "breathing", "reading/morning", "settings", "restore", "welcome",
         "welcome/how", "doctor", "sync")
PAGE = ROOT / "Sources/CDashboardFiles/page"
MOST_BYTES = 150_000
STALE_WITHIN_SECONDS = 5.0
# Measures in the page, which no slow machine delays, from now until a strap is shown as stale.
WATCH_STALE = """() => {
  const begun = performance.now();
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".strap.stale .stale-note")) return;
    window.staleAfter = performance.now() - begun;
    observer.disconnect();
  }).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""
ENHANCED_CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast-enhanced"]}}


class Checks:
    """The checks of one station."""

    def __init__(self, browser: Browser, base: str, options: argparse.Namespace, mock: MockStation | None):
        self.browser, self.base, self.mock = browser, base.rstrip("/"), mock
        self.folder: Path = options.screenshots
        self.token: str | None = options.token
        self.freeze: int | None = options.freeze
        self.views = options.views or VIEWS
        self.findings = Findings()

    # MARK: Getting there

    def open(self, watched: Watched, view: str) -> None:
        """Opens a view; `session` is the latest session that has ended, `compare` the last two of them, and `night` the latest
        night that has."""
        address = {"session": self._session, "compare": self._compared, "night": self._night}.get(view, lambda _: view)(watched)
        watched.page.goto(f"{self.base}/#/{address}")
        if self.token and watched.page.locator("form.login").count():
            watched.page.fill("form.login input", self.token)
            watched.page.click("form.login button")
        watched.settle()

    def _session(self, watched: Watched) -> str:
        ended = self._ended(watched)
        return f"history/{ended[0]}" if ended else "history"

    def _compared(self, watched: Watched) -> str:
        ended = self._ended(watched)
        return f"compare/{ended[0]}/{ended[-1]}" if ended else "history"

    def _night(self, watched: Watched) -> str:
        answer = watched.page.request.get(f"{self.base}/api/v1/nights?person=Anna", headers=self.headers())
        ended = [each["session"] for each in answer.json().get("nights", []) if not each["isRunning"]]
        return f"nights/{ended[0]}" if ended else "nights"

    def _ended(self, watched: Watched) -> list[str]:
        """Returns the identifiers of the last sessions that have ended with values."""
        answer = watched.page.request.get(f"{self.base}/api/v1/sessions?limit=20", headers=self.headers())
        ended = [each for each in answer.json().get("sessions", []) if not each["isRunning"] and "rmssd" in each]
        return [each["id"] for each in ended[:2]]

    def headers(self) -> dict[str, str]:
        """Returns the headers for access, if the station requires a token."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    # MARK: Every view

    def appearance(self) -> None:
        """Checks every view in every size and theme: errors, accessibility, targets, overflow; and saves a picture."""
        for size in ("phone", "desktop"):
            for scheme in ("light", "dark"):
                with watched_page(self.browser, size, color_scheme=scheme) as watched:
                    for view in self.views:
                        self.open(watched, view)
                        self._inspect(watched, f"{view}, {size}, {scheme}")
                        watched.screenshot(self.folder / f"{view.replace('/', '-')}-{size}-{scheme}.png")

    def _inspect(self, watched: Watched, where: str) -> None:
        problems = watched.take_problems()
        problems += watched.page.evaluate(OVERFLOW) + watched.page.evaluate(SMALL_TARGETS)
        self.findings.add(where, problems + watched.axe())

    def large_text(self) -> None:
        """Checks that text of twice its size fits on the smallest screen."""
        with watched_page(self.browser, "phone") as watched:
            for view in self.views:
                self.open(watched, view)
                watched.page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
                watched.page.wait_for_timeout(400)
                problems = watched.page.evaluate(OVERFLOW) + watched.page.evaluate(CUT_OFF)
                self.findings.add(f"{view}, text of 200 %", problems + watched.take_problems())
                watched.screenshot(self.folder / f"{view.replace('/', '-')}-large-text.png")

    def contrast(self) -> None:
        """Checks a contrast of 7:1 if the user prefers more contrast."""
        for scheme in ("light", "dark"):
            with watched_page(self.browser, "desktop", color_scheme=scheme, contrast="more") as watched:
                for view in self.views:
                    self.open(watched, view)
                    self.findings.add(f"{view}, more contrast, {scheme}", watched.axe(ENHANCED_CONTRAST))

    def stillness(self) -> None:
        """Checks that nothing moves if the user prefers reduced motion, including an exercise."""
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
        """Checks the modules of the page in isolation."""
        with watched_page(self.browser) as watched:
            watched.page.goto(f"{self.base}/vendor/LICENSE-dygraphs.txt")
            for name, body in CASES.items():
                problems = watched.page.evaluate(f"async () => {{ const load = (path) => import(path); {body} }}")
                self.findings.add(name, problems)

    def live(self) -> None:
        """Checks that the heart rate is a number, and that the trace moves."""
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
            if mock := self.mock:
                problems += self._turns_stale(watched, lambda: mock.mode("silent"), lambda: mock.mode("normal"))
            elif self.freeze:
                pid = self.freeze
                problems += self._turns_stale(
                    watched, lambda: os.kill(pid, signal.SIGSTOP), lambda: os.kill(pid, signal.SIGCONT))
            self.findings.add("live", problems)

    def _turns_stale(self, watched: Watched, silence: Callable[[], None], wake: Callable[[], None]) -> list[str]:
        watched.page.evaluate(WATCH_STALE)
        silence()
        try:
            watched.page.wait_for_selector(".strap.stale .stale-note:visible", timeout=9000)
            seconds = watched.page.evaluate("staleAfter") / 1000
            watched.screenshot(self.folder / "now-stale.png")
            problems = watched.axe()
            spoken = watched.page.locator("#assertive").text_content() or ""
            problems += [] if "old" in spoken else [f"a screen reader is told {spoken!r} of what is stale"]
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
        """Checks a single strap, unrecorded and silent straps, an empty station, and the login."""
        assert self.mock
        for mode, views in (("single", ("now",)), ("unrecorded", ("now",)), ("stale", ("now",)), ("empty", self.views)):
            self.mock.mode(mode)
            for size, scheme in (("phone", "light"), ("desktop", "dark")):
                with watched_page(self.browser, size, color_scheme=scheme) as watched:
                    for view in views:
                        self.open(watched, view)
                        self._inspect(watched, f"{view}, {mode}, {size}, {scheme}")
                        if mode == "unrecorded":
                            self._say_what_is_not_recorded(watched, f"{mode}, {size}, {scheme}")
                        watched.screenshot(self.folder / f"{view}-{mode}-{size}-{scheme}.png")
        self.mock.mode("normal")
        for size, scheme in (("phone", "dark"), ("desktop", "light")):
            with watched_page(self.browser, size, color_scheme=scheme) as watched:
                self._log_in(watched, self.mock, f"login-{size}-{scheme}")

    def _say_what_is_not_recorded(self, watched: Watched, name: str) -> None:
        """Checks that a stopped strap and an average say that they are not recorded, and offer no session."""
        lines = watched.page.locator(".strap .person").all_inner_texts()
        wanted = ("Not recorded: stopped from another system", "Average from advertisements, not recorded")
        problems = [f"nothing says {words!r}: {lines}" for words in wanted if not any(words in line for line in lines)]
        if count := watched.page.get_by_text("Session so far").locator("visible=true").count():
            problems.append(f"{count} cards offer a session")
        self.findings.add(name, problems)

    def _log_in(self, watched: Watched, mock: MockStation, name: str) -> None:
        watched.ignored = ("401",)
        watched.page.goto(f"{mock.locked}/#/now")
        watched.page.wait_for_selector("form.login")
        problems = watched.axe()
        for token in ("wrong", mock.token):
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


def transferred() -> tuple[int, int]:
    """Returns the size of the whole page in bytes, uncompressed and compressed."""
    files = [file.read_bytes() for file in sorted(PAGE.rglob("*")) if file.is_file()]
    return sum(map(len, files)), sum(len(gzip.compress(each)) for each in files)


def chosen_steps(checks: Checks, names: list[str] | None, deletes: bool) -> list[Callable[[], None]]:
    """Returns the steps with these names, by default all that this station allows; deletions come last."""
    use = UseChecks(checks)
    steps = [checks.modules, checks.appearance, checks.large_text, checks.contrast, checks.stillness, use.keyboard,
             use.exercise, use.speech, checks.live, use.deletion]
    # The mock deletes nothing, and only the mock changes its mode.
    of_access = AccessChecks(checks)
    editing = EditingChecks(checks)
    of_nights = NightChecks(checks)
    outlets = OutletChecks(checks)
    steps += [checks.modes, editing.naming, editing.markers, editing.parts, editing.exporting, editing.restoring,
              editing.deleting_a_category, editing.measuring, editing.first_visit, of_nights.nights, of_nights.marks, of_nights.sensors, of_access.access, of_access.pairing, of_access.doctor, of_access.rules,
              of_access.offline, outlets.glances, outlets.overlay, outlets.addresses] if checks.mock else [use.deletion_for_good] if deletes else []
    known = {step.__name__: step for step in steps}
    unknown = [name for name in names or [] if name not in known]
    if unknown:
        raise SystemExit(f"error: there is no step {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in names] if names else steps


def run(options: argparse.Namespace) -> int:
    """Runs all checks and prints the problems. Returns the exit code."""
    with ExitStack() as stack:
        mock = None if options.base else stack.enter_context(mock_station())
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        checks = Checks(browser, mock.base if mock else options.base, options, mock)
        for step in chosen_steps(checks, options.steps, options.delete):
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
