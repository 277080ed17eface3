"""Checks of glances and the overlay."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from page_browser import Watched, watched_page

if TYPE_CHECKING:
    from mock_station import MockStation
    from page_checks import Checks

ALL_FIELDS = "name,heartRate,trace,rmssd,sdnn,stress,battery"
FAMILIES = ("small", "medium", "large", "circular", "rectangular", "inline")
# Shows all glances as pictures.
SHOW_ALL = """async ([families, colour]) => {
  document.body.style.background = colour;
  document.body.replaceChildren(...families.map((family) => Object.assign(new Image(), { src: `/glance/${family}.svg` })));
  await Promise.all([...document.images].map((image) => image.decode()));
}"""
# Of the page, and of what is in it.
BACKGROUNDS = "() => [document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor)"
TRANSPARENT = "rgba(0, 0, 0, 0)"
STALE = "() => document.querySelector('main.stale .note')?.textContent"
# Measures in the page, which no slow machine delays, from now until the overlay is stale.
WATCH_STALE = """() => {
  const begun = performance.now();
  new MutationObserver((_, observer) => {
    if (!document.querySelector("main.stale")) return;
    window.staleAfter = performance.now() - begun;
    observer.disconnect();
  }).observe(document.body, {subtree: true, attributes: true});
}"""
STALE_WITHIN_MS = 5000


class OutletChecks:
    """The checks of what other programs show."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks

    def glances(self) -> None:
        """Opens each glance as a document, and all as pictures of a page of the station, in light and dark."""
        for scheme in ("light", "dark"):
            with watched_page(self.checks.browser, color_scheme=scheme) as watched:
                page = watched.page
                for family in FAMILIES:
                    page.goto(f"{self.checks.base}/glance/{family}.svg")
                    # The policy of the answer would keep its style from applying.
                    fills = page.evaluate("() => new Set([...document.querySelectorAll('text')].map("
                                          "(each) => getComputedStyle(each).fill)).has('rgb(0, 0, 0)')")
                    problems = ["its style does not apply"] if fills else []
                    self.checks.findings.add(f"glance {family}, {scheme}", problems + watched.take_problems())
                page.goto(f"{self.checks.base}/overlay.html")
                page.evaluate(SHOW_ALL, [list(FAMILIES), "#181b1d" if scheme == "dark" else "#e8e6e0"])
                watched.screenshot(self.checks.folder / f"glances-{scheme}.png")
                self.checks.findings.add(f"glances, {scheme}", watched.take_problems())

    def addresses(self) -> None:
        """Creates tokens for a glance and for the overlay, and opens the addresses that the page shows for them."""
        mock = self.checks.mock
        assert mock
        with watched_page(self.checks.browser, "phone") as watched:
            page = watched.page
            watched.ignored = ("401",)
            page.goto(f"{mock.locked}/#/settings")
            page.fill("form.login input", mock.token)
            page.click("form.login button")
            problems: list[str] = []
            for scope in ("glance", "overlay"):
                page.get_by_role("button", name="Add a token").click()
                page.get_by_label("Name").fill(f"Test of {scope}")
                page.get_by_label("It allows").select_option(scope)
                problems += watched.axe()
                page.get_by_role("button", name="Add", exact=True).click()
                address = page.locator(".secret").inner_text()
                page.get_by_text("Whoever knows this address").wait_for()
                watched.screenshot(self.checks.folder / f"token-{scope}.png")
                page.get_by_role("button", name="Done").click()
                problems += self._opened(scope, address, mock)
            self.checks.findings.add("addresses of tokens", problems + watched.take_problems())

    def _opened(self, scope: str, address: str, mock: MockStation) -> list[str]:
        """Opens the address of a token in another browser, in which nobody is logged in."""
        with watched_page(self.checks.browser) as watched:
            page = watched.page
            page.goto(address)
            if scope == "overlay":
                page.wait_for_function("() => /^[0-9]+$/.test(document.querySelector('.rate .number').textContent)", timeout=8000)
            problems = watched.take_problems()
            token = address.split("token=")[1]
            for path in ("/api/v1/status", "/glance/small.svg" if scope == "overlay" else "/overlay"):
                status = page.request.get(f"{mock.locked}{path}?token={token}").status
                problems += [] if status in (401, 403) else [f"a token for {scope} opens {path}: {status}"]
            return problems

    def overlay(self) -> None:
        """Checks the overlay: its values, that it is transparent, its stale state and its return."""
        mock = self.checks.mock
        assert mock
        for name, query in (("plain", ""), ("all", f"?fields={ALL_FIELDS}&size=96&shadow=strong&colour=gold&align=center")):
            with watched_page(self.checks.browser) as watched:
                page = watched.page
                page.goto(f"{self.checks.base}/overlay{query}")
                page.wait_for_function("() => /^[0-9]+$/.test(document.querySelector('.rate .number').textContent)", timeout=8000)
                problems = [] if page.evaluate(STALE) is None else ["it is stale"]
                if page.evaluate(BACKGROUNDS) != [TRANSPARENT, TRANSPARENT]:
                    problems.append("it is not transparent")
                watched.screenshot(self.checks.folder / f"overlay-{name}.png")
                if name == "all":
                    # What a viewer sees above a video.
                    page.evaluate("() => { document.body.style.background = 'linear-gradient(120deg, #244, #c84 60%, #eee)' }")
                    watched.screenshot(self.checks.folder / "overlay-all-video.png")
                problems += watched.take_problems()
                problems += self._stale(watched, mock)
                self.checks.findings.add(f"overlay {name}", problems + watched.take_problems())
        with watched_page(self.checks.browser) as watched:
            watched.page.goto(f"{self.checks.base}/overlay?backdrop=black")
            watched.page.wait_for_selector(".rate .number")
            found = watched.page.evaluate(BACKGROUNDS)
            problems = [] if found == ["rgb(0, 0, 0)", TRANSPARENT] else [f"its backdrop is {found}"]
            self.checks.findings.add("overlay with a backdrop", problems + watched.take_problems())

    def _stale(self, watched: Watched, mock: MockStation) -> list[str]:
        """Stops the process of the station, and expects the overlay to say so in time, and to return."""
        page = watched.page
        page.evaluate(WATCH_STALE)
        mock.process.send_signal(signal.SIGSTOP)
        try:
            page.wait_for_function("() => window.staleAfter", timeout=9000)
            taken = page.evaluate("() => window.staleAfter")
            problems = [] if taken <= STALE_WITHIN_MS else [f"it is stale after {taken:.0f} ms"]
            if page.locator(".rate .number").inner_text() != "\u2013":
                problems.append("it shows the last heart rate as if it were current")
            page.get_by_text("Station not reachable").wait_for(timeout=9000)
            watched.screenshot(self.checks.folder / "overlay-stale.png")
        finally:
            mock.process.send_signal(signal.SIGCONT)
        page.wait_for_function("() => !document.querySelector('main.stale')", timeout=20_000)
        return problems
