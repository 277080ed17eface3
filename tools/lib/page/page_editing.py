"""What is checked of changing sessions and of measuring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from page_browser import watched_page

if TYPE_CHECKING:
    from page_checks import Checks

WAIT_MS = 8000


class EditingChecks:
    """The checks of a station that change sessions and measure. They need the mock station."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks

    def naming(self) -> None:
        """Checks that a label and a note are saved, shown and removed."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "session")
            page.get_by_label("Label", exact=True).fill("night")
            page.get_by_label("Note", exact=True).fill("slept well\nno alarm")
            page.get_by_role("button", name="Save", exact=True).click()
            page.locator("p.note", has_text="no alarm").wait_for(timeout=WAIT_MS)
            problems = watched.axe()
            if "night" not in (page.locator(".lead").text_content() or ""):
                problems.append("the label is not in the head of the session")
            page.reload()
            page.locator("p.note", has_text="no alarm").wait_for(timeout=WAIT_MS)
            page.get_by_label("Note", exact=True).fill("")
            page.get_by_role("button", name="Save", exact=True).click()
            page.locator("p.note").wait_for(state="hidden", timeout=WAIT_MS)
            self.checks.findings.add("naming", problems + watched.take_problems())

    def markers(self) -> None:
        """Checks that a marker is added to a session and to the present, listed, and deleted."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "session")
            page.get_by_role("button", name="Add a marker").click()
            page.get_by_label("Name", exact=True).fill("coffee")
            problems = watched.axe()
            watched.screenshot(self.checks.folder / "marker-dialog.png")
            page.get_by_role("button", name="Add", exact=True).click()
            delete = page.get_by_role("button", name="Delete the marker coffee")
            delete.wait_for(timeout=WAIT_MS)
            watched.settle()
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "session-marker.png")
            delete.click()
            page.get_by_text("No markers.").wait_for(timeout=WAIT_MS)
            self.checks.open(watched, "now")
            page.get_by_role("button", name="Add a marker").first.click()
            page.get_by_label("Name", exact=True).fill("lights off")
            page.get_by_role("button", name="Add", exact=True).click()
            page.wait_for_function("() => document.querySelector('#polite').textContent.startsWith('Marked: lights off')")
            self.checks.findings.add("markers", problems + watched.take_problems())

    def parts(self) -> None:
        """Checks the dialogs for splitting, merging and comparing, and that they lead where they say."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "session")
            page.get_by_role("button", name="Split this session").click()
            problems = watched.axe()
            watched.screenshot(self.checks.folder / "split-dialog.png")
            page.get_by_role("button", name="Split", exact=True).click()
            page.wait_for_function("() => document.querySelector('#polite').textContent === 'The session is split.'")
            page.get_by_role("button", name="Compare with another session").click()
            page.locator("dialog .choices button").first.wait_for(timeout=WAIT_MS)
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "compare-dialog.png")
            page.locator("dialog .choices button").first.click()
            page.get_by_role("columnheader", name="Difference").wait_for(timeout=WAIT_MS)
            if not page.url.split("#")[1].startswith("/compare/"):
                problems.append(f"comparing leads to {page.url}")
            self.checks.findings.add("parts", problems + watched.take_problems())

    def exporting(self) -> None:
        """Checks that the sessions of a range of time are downloaded as one file."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "history")
            page.get_by_role("button", name="Export", exact=True).click()
            page.get_by_label("From", exact=True).fill("2026-01-01")
            problems = watched.axe()
            watched.screenshot(self.checks.folder / "export-dialog.png")
            with page.expect_download() as download:
                page.get_by_role("button", name="Export", exact=True).last.click()
            if download.value.suggested_filename != "tachogram.zip":
                problems.append(f"the file is called {download.value.suggested_filename}")
            self.checks.findings.add("exporting", problems + watched.take_problems())

    def measuring(self) -> None:
        """Checks that a morning reading counts down, and shows its result and the other mornings."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "now")
            page.get_by_role("link", name="Morning reading").click()
            page.get_by_role("button", name="Begin", exact=True).click()
            page.get_by_role("timer").wait_for(timeout=WAIT_MS)
            watched.settle()
            problems = watched.axe()
            watched.screenshot(self.checks.folder / "reading-running.png")
            page.get_by_role("heading", name="Result").wait_for(timeout=WAIT_MS)
            page.get_by_text("Within your usual range").wait_for(timeout=WAIT_MS)
            page.get_by_role("heading", name="Mornings").wait_for(timeout=WAIT_MS)
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "reading-result.png")
            page.get_by_role("button", name="Measure again").click()
            page.get_by_role("button", name="Begin", exact=True).click()
            page.get_by_role("button", name="Cancel").click()
            page.get_by_role("button", name="Begin", exact=True).wait_for(timeout=WAIT_MS)
            self.checks.findings.add("measuring", problems + watched.take_problems())
