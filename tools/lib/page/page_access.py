"""Checks of the login by code, of tokens and of the page for a browser that can only read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from page_browser import Watched, watched_page

if TYPE_CHECKING:
    from mock_station import MockStation
    from page_checks import Checks

# The only code of the mock station, which is valid once.
CODE = "right-code"
# Whether the service worker has stored the page, of which the script is loaded early.
KEPT = "async () => Boolean(await caches.match('/') && await caches.match('/scripts/main.js'))"


class AccessChecks:
    """The checks of one station that requires a token."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks

    def access(self) -> None:
        """Checks that a code logs a browser in once, adds a token, revokes it, and logs out."""
        mock = self.checks.mock
        assert mock
        with watched_page(self.checks.browser, "phone") as watched:
            watched.page.goto(f"{mock.locked}/#login={CODE}")
            watched.page.wait_for_selector(".rate-number, .welcome", timeout=8000)
            problems = [f"the code is still in {watched.page.url}"] if CODE in watched.page.url else []
            secret = self._add_reader(watched, mock, problems)
            problems += self._reader(mock, secret)
            problems += self._revoke(watched, mock)
            problems += watched.take_problems()
        problems += self._used_code(mock)
        self.checks.findings.add("access", problems)

    def offline(self) -> None:
        """Checks that the page can be installed, and shows the last values as stale without the station."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            watched.ignored = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
            manifest = page.request.get(f"{self.checks.base}/manifest.webmanifest").json()
            problems = [f"the manifest has no {key}" for key in ("name", "start_url", "display", "icons") if key not in manifest]
            for icon in manifest["icons"]:
                if page.request.get(f"{self.checks.base}{icon['src']}").status != 200:
                    problems.append(f"there is no icon {icon['src']}")
            self.checks.open(watched, "now")
            page.locator(".rate-number").first.wait_for(timeout=8000)
            page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
            page.wait_for_function(KEPT, timeout=8000)
            page.context.set_offline(True)
            page.reload()
            page.locator(".strap.stale .stale-note:visible").first.wait_for(timeout=8000)
            watched.settle()
            watched.screenshot(self.checks.folder / "offline.png")
            page.context.set_offline(False)
            page.wait_for_function("() => document.querySelectorAll('.strap.stale').length === 0", timeout=15_000)
            self.checks.findings.add("offline", problems + watched.take_problems())

    def rules(self) -> None:
        """Checks that a setting is changed, that a wrong value is refused with its reason, and that one set elsewhere
        cannot be changed."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            watched.ignored = ("400",)
            self.checks.open(watched, "settings")
            end = page.get_by_label("A session ends after")
            end.wait_for(timeout=8000)
            problems: list[str] = []
            for value in ("soon", "30m"):
                end.fill(value)
                page.get_by_role("button", name="Save", exact=True).click()
                if value == "soon":
                    page.get_by_text("it is a length of time").wait_for(timeout=8000)
                    watched.screenshot(self.checks.folder / "settings-refused.png")
                    problems += watched.axe()
            page.wait_for_function("() => document.querySelector('#polite').textContent.startsWith('Saved')")
            if page.get_by_label("A session ends after").input_value() != "30m":
                problems.append("the changed setting is not shown")
            if not page.get_by_label("Alert below battery percentage").is_disabled():
                problems.append("a setting of the configuration file can be changed")
            self.checks.findings.add("rules", problems + watched.take_problems())

    def doctor(self) -> None:
        """Checks that the findings are listed with their remedies, and that one of them is fixed."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "doctor")
            page.get_by_role("heading", name="Straps cannot be received").wait_for(timeout=8000)
            problems = watched.axe()
            watched.screenshot(self.checks.folder / "doctor.png")
            page.get_by_role("button", name="Fix what the station can fix").click()
            page.get_by_text("the adapter hci0 was switched on").wait_for(timeout=8000)
            page.get_by_role("button", name="Show the diagnosis").click()
            shown = page.locator("pre[aria-label=Diagnosis]")
            shown.wait_for(timeout=8000)
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "diagnosis.png")
            with page.expect_download() as download:
                page.get_by_role("button", name="Save", exact=True).click()
            if Path(download.value.path()).read_text() != shown.inner_text():
                problems.append("the saved diagnosis is not the one that was shown")
            self.checks.findings.add("doctor", problems + watched.take_problems())

    def pairing(self) -> None:
        """Checks that a strap is found, asks for its passkey, refuses a wrong one, and is paired with the right one."""
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            self.checks.open(watched, "pair")
            pair = page.get_by_role("button", name="Pair Polar H10 1A2B")
            problems: list[str] = []
            for passkey in ("111111", "123456"):
                pair.wait_for(timeout=8000)
                problems += watched.axe()
                watched.screenshot(self.checks.folder / "pairing-search.png")
                pair.click()
                page.get_by_label("Passkey").fill(passkey)
                problems += watched.axe()
                watched.screenshot(self.checks.folder / "pairing-passkey.png")
                page.get_by_role("button", name="Continue").click()
                if passkey == "111111":
                    page.get_by_role("heading", name="Not paired").wait_for(timeout=8000)
                    page.get_by_role("button", name="Search again").click()
            page.get_by_role("heading", name="is paired").wait_for(timeout=8000)
            problems += watched.axe()
            watched.screenshot(self.checks.folder / "pairing-done.png")
            if page.locator(".card li").count() != 3:
                problems.append("the paired strap does not show three readings")
            self.checks.findings.add("pairing", problems + watched.take_problems())

    def _add_reader(self, watched: Watched, mock: MockStation, problems: list[str]) -> str:
        """Adds a token for reading in the settings, and returns its secret."""
        page = watched.page
        page.goto(f"{mock.locked}/#/settings")
        page.get_by_role("heading", name="Chrome on Linux").wait_for(timeout=8000)
        page.get_by_role("button", name="Add a token").click()
        page.get_by_label("Name").fill("Panel")
        problems += watched.axe()
        page.get_by_role("button", name="Add", exact=True).click()
        page.locator(".secret").wait_for()
        secret = page.locator(".secret").inner_text()
        watched.screenshot(self.checks.folder / "token-added.png")
        page.get_by_role("button", name="Done").click()
        page.get_by_role("heading", name="Panel", exact=True).wait_for()
        page.locator(".secret").wait_for(state="detached")
        if secret in page.content():
            problems.append("the new token is still in the page after its dialog")
        return str(secret)

    def _reader(self, mock: MockStation, secret: str) -> list[str]:
        """Checks that a browser with the token for reading shows values, and no way to change anything."""
        with watched_page(self.checks.browser, "desktop") as watched:
            page = watched.page
            watched.ignored = ("401",)
            page.goto(f"{mock.locked}/#/settings")
            page.fill("form.login input", secret)
            page.click("form.login button")
            page.get_by_text("can only read").wait_for(timeout=8000)
            watched.settle()
            watched.screenshot(self.checks.folder / "settings-reader.png")
            shown = [name for name in ("Delete everything …", "Forget", "Change", "Download")
                     if page.get_by_text(name, exact=True).first.is_visible()]
            page.goto(f"{mock.locked}/#/nights")
            page.get_by_text("it cannot start a night").wait_for(timeout=8000)
            watched.settle()
            shown += [name for name in ("Start the night",) if page.get_by_text(name).first.is_visible()]
            watched.screenshot(self.checks.folder / "nights-reader.png")
            page.get_by_role("link", name="Open the night").first.click()
            page.get_by_role("heading", name="Time in each stage").wait_for(timeout=8000)
            shown += ["Not a night"] if page.get_by_role("button", name="Not a night").is_visible() else []
            problems = [f"a browser that can only read is offered {', '.join(shown)}"] if shown else []
            for method, path in (("DELETE", "/api/v1/tokens/station"), ("POST", "/api/v1/deletions"),
                                 ("POST", "/api/v1/nights")):
                answer = page.request.fetch(f"{mock.locked}{path}", method=method, data={"everything": True})
                problems += [] if answer.status == 403 else [f"{method} {path} answers a reader {answer.status}"]
            return problems + watched.axe() + watched.take_problems()

    def _revoke(self, watched: Watched, mock: MockStation) -> list[str]:
        """Revokes the added token, then logs out."""
        page = watched.page
        watched.ignored = ("401",)
        page.get_by_role("button", name="Revoke Panel").click()
        page.get_by_role("button", name="Revoke", exact=True).click()
        page.get_by_role("heading", name="Panel", exact=True).wait_for(state="detached")
        page.get_by_role("button", name="Log out").click()
        page.wait_for_selector("form.login")
        answer = page.request.get(f"{mock.locked}/api/v1/status")
        return [] if answer.status == 401 else [f"after logging out the station answers {answer.status}"]

    def _used_code(self, mock: MockStation) -> list[str]:
        """Checks that the code is not valid again, and that the page says so."""
        with watched_page(self.checks.browser, "phone") as watched:
            watched.ignored = ("401",)
            watched.page.goto(f"{mock.locked}/#login={CODE}")
            watched.page.wait_for_selector("form.login [role=alert]")
            watched.screenshot(self.checks.folder / "login-used-code.png")
            text = watched.page.locator("form.login [role=alert]").inner_text()
            problems = [] if "used already" in text else [f"a used code is answered with {text!r}"]
            return problems + watched.axe() + watched.take_problems()
