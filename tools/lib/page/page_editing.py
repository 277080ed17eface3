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

    def deleting_a_category(self) -> None:
        """Checks that the stress levels of some days are counted alone before they are deleted."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "settings")
            form = page.get_by_role("group", name="By day")
            form.get_by_label("From", exact=True).fill("2020-01-01")
            form.get_by_label("What", exact=True).select_option("stress")
            form.get_by_role("button", name="Delete days").click()
            page.get_by_role("heading", name="Delete the stress levels of these days?").wait_for(timeout=WAIT_MS)
            page.locator("dialog .facts").wait_for(timeout=WAIT_MS)
            problems = watched.axe()
            shown = page.locator("dialog .facts dt").all_inner_texts()
            if shown != ["Stress measurements"]:
                problems.append(f"the deletion counts {shown}")
            watched.screenshot(self.checks.folder / "deletion-category.png")
            self.checks.findings.add("deleting_a_category", problems + watched.take_problems())

    def restoring(self) -> None:
        """Checks that a damaged snapshot is not offered, and that a good one is restored after its preview."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "restore")
            buttons = page.get_by_role("button", name="Restore the snapshot of")
            buttons.last.click()
            page.get_by_text("cannot be restored").wait_for(timeout=WAIT_MS)
            problems = watched.axe()
            page.get_by_role("button", name="Close").click()
            buttons.first.click()
            page.get_by_text("Stored sessions that it lacks").wait_for(timeout=WAIT_MS)
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "restore-preview.png")
            restore = page.get_by_role("button", name="Restore", exact=True)
            if restore.is_enabled():
                problems.append("a snapshot is restored without a confirmation")
            page.get_by_role("checkbox").check()
            restore.click()
            page.get_by_text("The snapshot was restored.").wait_for(timeout=20_000)
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "restore-done.png")
            page.get_by_role("button", name="Bring back sessions from").click()
            page.locator("dialog").get_by_text("Sessions that are missing now").wait_for(timeout=WAIT_MS)
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "bring-back.png")
            page.get_by_role("button", name="Bring back", exact=True).click()
            page.locator("dialog").get_by_text("2 sessions were brought back.").wait_for(timeout=WAIT_MS)
            problems += watched.axe()
            page.get_by_role("button", name="Close").click()
            self.checks.findings.add("restoring", problems + watched.take_problems())

    def first_visit(self) -> None:
        """Checks that the first visit leads, a screen at a time, to the first heartbeat and to a name."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            page.add_init_script("localStorage.tachogram = JSON.stringify({})")
            page.goto(f"{self.checks.base}/")
            problems: list[str] = []
            for name in ("Wear the strap", "Pair it, once", "The first heartbeat"):
                page.get_by_role("heading", name=name).wait_for(timeout=WAIT_MS)
                watched.settle()
                problems += watched.axe()
                watched.screenshot(self.checks.folder / f"first-visit-{name.split()[0].lower()}.png")
                if name == "The first heartbeat":
                    page.get_by_text("is live. A session is being recorded.").wait_for(timeout=WAIT_MS)
                page.get_by_role("button", name="Next", exact=True).click()
            page.get_by_label("Worn by").fill("Anna")
            problems += watched.axe()
            page.get_by_role("button", name="Save", exact=True).click()
            page.get_by_text("Saved.").wait_for(timeout=WAIT_MS)
            page.get_by_role("link", name="Show what is now").click()
            page.locator(".rate-number").first.wait_for(timeout=WAIT_MS)
            self.checks.findings.add("first_visit", problems + watched.take_problems())

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
