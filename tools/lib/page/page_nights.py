"""What is checked of nights: starting and ending one, and where nights are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from page_browser import watched_page

if TYPE_CHECKING:
    from page_checks import Checks

WAIT_MS = 8000


class NightChecks:
    """The checks of a station with nights. They need the mock station."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks

    def nights(self) -> None:
        """Checks that a night is started, shown while it lasts, ended, opened, and forgotten."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "nights")
            page.get_by_label("Strap").select_option(index=0)
            page.get_by_role("button", name="Start the night").click()
            card = page.locator(".card.night")
            card.get_by_text("Since").wait_for(timeout=WAIT_MS)
            card.locator(".plot canvas").first.wait_for(timeout=WAIT_MS)
            watched.settle()
            problems = watched.axe()
            watched.screenshot(self.checks.folder / "night-running.png")
            if not card.locator(".rate-number").inner_text().isdigit():
                problems.append("a night that lasts shows no heart rate")
            if not card.get_by_text("Stage: light, an estimate.").is_visible():
                problems.append("a night that lasts shows no stage")
            if not page.evaluate("() => document.activeElement.textContent === 'This night'"):
                problems.append("the night that has begun has no focus")
            if page.get_by_role("heading", name="Last night").is_visible():
                problems.append("the last night is shown while one lasts")
            page.get_by_role("link", name="Open", exact=True).click()
            page.get_by_text("estimated when the night has ended").wait_for(timeout=WAIT_MS)
            page.go_back()
            card.get_by_role("button", name="End the night").click()
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "night-end-dialog.png")
            page.locator("dialog").get_by_role("button", name="End the night").click()
            page.get_by_role("heading", name="Last night").first.wait_for(timeout=WAIT_MS)
            page.get_by_role("link", name="Open the night").first.click()
            page.get_by_text("No stages").wait_for(timeout=WAIT_MS)
            watched.settle()
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "night-short.png")
            page.get_by_role("button", name="Not a night").click()
            page.locator("dialog").get_by_role("button", name="Not a night").click()
            page.get_by_role("button", name="Start the night").wait_for(timeout=WAIT_MS)
            self.checks.findings.add("nights", problems + watched.take_problems())

    def marks(self) -> None:
        """Checks that nights are marked in the history, that their sessions lead to them, and that they have tables and trends."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "history")
            page.locator(".session", has=page.locator(".tag", has_text="night")).first.click()
            page.get_by_role("link", name="Open the night").click()
            page.get_by_role("heading", name="Time in each stage").wait_for(timeout=WAIT_MS)
            watched.settle()
            problems: list[str] = []
            for name in ("Stages", "Heart rate", "RMSSD", "Movement"):
                page.get_by_text(f"{name} as a table").click()
                table = page.get_by_role("table", name=name)
                table.wait_for(timeout=WAIT_MS)
                if "nknown" not in table.inner_text():
                    problems.append(f"the table of {name} has no gap")
            page.get_by_text("How the quality is computed").click()
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "night-tables.png")
            self.checks.open(watched, "trends")
            page.get_by_role("radio", name="Month").check()
            page.get_by_role("heading", name="Regularity").wait_for(timeout=WAIT_MS)
            page.get_by_text("All nights as a table").click()
            watched.settle()
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "trends-nights.png")
            self.checks.findings.add("marks", problems + watched.take_problems())

    def sensors(self) -> None:
        """Checks that a list of straps is set and cleared."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "settings")
            straps = page.get_by_label("Record the movement of")
            straps.wait_for(timeout=WAIT_MS)
            problems: list[str] = []
            for value in ("Polar H10,Verity Sense", ""):
                straps.fill(value)
                with page.expect_response("**/api/v1/settings") as changed:
                    page.get_by_role("button", name="Save", exact=True).click()
                if changed.value.status != 200:
                    problems.append(f"{value!r} is answered with {changed.value.status}")
                page.reload()
                straps.wait_for(timeout=WAIT_MS)
                if straps.input_value() != value:
                    problems.append(f"{value!r} is shown as {straps.input_value()!r}")
            self.checks.findings.add("sensors", problems + watched.take_problems())
