"""What is checked of the page for those who use no pointer, or no eyes; and of what cannot be undone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error

from page_browser import Watched, watched_page

if TYPE_CHECKING:
    from page_checks import Checks

FOCUSED = "() => document.activeElement.textContent.trim()"
# Between the last and the first control of a dialog the browser itself has the focus, which reads as the body.
LEFT_DIALOG = "() => document.activeElement !== document.body && !document.activeElement.closest('dialog')"
# Enough for every view: what Tab does not reach within so many is not reached.
MOST_TABS = 80


class UseChecks:
    """The checks of a station that act like a person."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks

    # MARK: Keys alone

    def keyboard(self) -> None:
        """Checks that the skip link comes first, then every view; each opens with Enter and focuses its heading."""
        with watched_page(self.checks.browser) as watched:
            self.checks.open(watched, "now")
            reached = []
            for _ in range(12):
                watched.page.keyboard.press("Tab")
                reached.append(watched.page.evaluate(FOCUSED))
            names = ["Now", "History", "Nights", "Trends", "Breathing", "Settings"]
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
            self.checks.findings.add("keyboard", problems + watched.take_problems())

    def exercise(self) -> None:
        """Checks that paced breathing begins and ends by keys, with feedback."""
        with watched_page(self.checks.browser, "phone") as watched:
            self.checks.open(watched, "breathing")
            problems = _press(watched, "Begin", "Space")
            watched.page.wait_for_selector(".breath-word:has-text('Breathe out')", timeout=8000)
            watched.screenshot(self.checks.folder / "breathing-exercise.png")
            problems += watched.axe() + watched.take_problems()
            problems += _press(watched, "End", "Enter")
            watched.page.wait_for_selector("h2:has-text('Done')")
            self.checks.findings.add("exercise", problems)

    # MARK: What is heard

    def speech(self) -> None:
        """Checks that a screen reader receives the values now and then, in words without colours."""
        with watched_page(self.checks.browser) as watched:
            watched.page.add_init_script(
                "localStorage.tachogram = JSON.stringify({ welcomed: true, announceSeconds: 1 })")
            self.checks.open(watched, "now")
            try:
                watched.page.wait_for_function(
                    "() => /: heart rate [0-9]+/.test(document.querySelector('#polite').textContent)", timeout=10_000)
                problems = []
            except Error:
                spoken = watched.page.locator("#polite").text_content()
                problems = [f"a screen reader is told {spoken!r}, not the heart rate"]
            self.checks.findings.add("speech", problems + watched.take_problems())

    # MARK: What cannot be undone

    def deletion(self) -> None:
        """Checks that a deletion shows what it would delete; that the focus stays in its dialog, and Escape closes
        it."""
        with watched_page(self.checks.browser, "phone") as watched:
            self.checks.open(watched, "settings")
            problems = _press(watched, "Delete everything", "Enter")
            watched.page.wait_for_selector("dialog .facts")
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "deletion.png")
            sure = watched.page.get_by_role("button", name="Delete for good")
            problems += [] if sure.is_disabled() else ["it can be deleted without saying so twice"]
            for _ in range(4):
                watched.page.keyboard.press("Tab")
                if watched.page.evaluate(LEFT_DIALOG):
                    problems.append("Tab leaves the dialog for the page behind it")
                    break
            watched.page.keyboard.press("Escape")
            try:
                watched.page.wait_for_selector("dialog", state="detached", timeout=3000)
            except Error:
                problems.append("Escape does not close the dialog")
            if not watched.page.evaluate(FOCUSED).startswith("Delete everything"):
                problems.append("after the dialog the focus is not where it was")
            self.checks.findings.add("deletion", problems + watched.take_problems())

    def deletion_for_good(self) -> None:
        """Checks that the latest ended session is deleted by keys alone, also from the station."""
        with watched_page(self.checks.browser, "desktop") as watched:
            self.checks.open(watched, "session")
            found = re.search(r"#/history/([0-9A-Fa-f-]+)$", watched.page.url)
            if not found:
                self.checks.findings.add("deletion for good", ["there is no session that could be deleted"])
                return
            problems = _press(watched, "Delete", "Enter")
            watched.page.wait_for_selector("dialog .facts")
            problems += _press(watched, "I know that this cannot be undone", "Space", role="checkbox")
            problems += _press(watched, "Delete for good", "Enter")
            try:
                watched.page.wait_for_url(re.compile(r"#/history$"), timeout=10_000)
            except Error:
                problems.append("after the deletion the page does not go back to History")
            watched.settle()
            problems += watched.take_problems()
            answer = watched.page.request.get(
                f"{self.checks.base}/api/v1/sessions/{found[1]}", headers=self.checks.headers())
            if answer.status != 404:
                problems.append(f"the deleted session answers {answer.status}")
            self.checks.findings.add("deletion for good", problems)


def _press(watched: Watched, name: str, key: str, role: Any = "button") -> list[str]:
    """Moves to a control by Tab alone, and presses a key on it. Returns the problems."""
    wanted = watched.page.get_by_role(role, name=name).first
    wanted.wait_for()
    handle = wanted.element_handle()
    for _ in range(MOST_TABS):
        if handle.evaluate("(element) => element === document.activeElement"):
            shown = handle.evaluate("(element) => getComputedStyle(element).outlineStyle !== 'none'")
            watched.page.keyboard.press(key)
            return [] if shown else [f"nothing shows that {name} has the focus"]
        watched.page.keyboard.press("Tab")
    wanted.focus()
    watched.page.keyboard.press(key)
    return [f"{name} is not reached by Tab"]
