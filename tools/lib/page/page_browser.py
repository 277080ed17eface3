"""A browser that remembers everything that went wrong in it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, Response

SIZES = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1440, "height": 900}}
SERIOUS = ("serious", "critical")

# What is narrower or lower than a finger; links within text are exempt, as in WCAG 2.5.8.
SMALL_TARGETS = """() => [...document.querySelectorAll('button, select, summary, input, .views a, a.button, a.card, ul.plain a')]
  .filter(e => e.checkVisibility())
  .map(e => [e.closest('label') ?? e, e])
  .filter(([box]) => { const r = box.getBoundingClientRect(); return r.height < 43.5 || r.width < 43.5 })
  .map(([box, e]) => `${e.tagName} ${e.textContent || e.type} is ${box.getBoundingClientRect().width} wide and ` +
    `${box.getBoundingClientRect().height} high`)"""

# What reaches over the right edge, where the page can be scrolled sideways.
OVERFLOW = """() => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1 ? [] :
  [...document.querySelectorAll('main *, .top *, .views *')]
    .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest('.scroller'))
    .slice(0, 3).map(e => `${e.tagName}.${e.getAttribute('class')} reaches to ${e.getBoundingClientRect().right}`)
    .concat([`the page is ${document.documentElement.scrollWidth} wide`])"""

# Text that its own box cuts off.
CUT_OFF = """() => [...document.querySelectorAll('.views a, button, .segments span, h1, h2, h3, dd, dt, .tag, .pill')]
  .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
  .map(e => `${e.textContent} is cut off`)"""

RUNNING_ANIMATIONS = """() => document.getAnimations().filter(a => a.playState === 'running')
  .map(a => `${a.animationName ?? 'an animation'} on ${a.effect?.target?.getAttribute('class')}`)"""


@dataclass
class Findings:
    """The problems and their places."""

    problems: list[str] = field(default_factory=list)
    looked_at: int = 0

    def add(self, where: str, problems: list[str]) -> None:
        """Adds the problems of a place."""
        self.looked_at += 1
        self.problems += [f"{where}: {problem}" for problem in problems]


class Watched:
    """A page whose errors are collected."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.ignored: tuple[str, ...] = ()
        self._problems: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._problems.append(f"an error in a script: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._problems.append(f"the console says: {message.text}")

    def _failed(self, request: Request) -> None:
        # A stream that is given up, and what a view that was left had asked for.
        if "ERR_ABORTED" not in (request.failure or ""):
            self._problems.append(f"{request.url} failed: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._problems.append(f"{response.url} answered {response.status}")

    def take_problems(self) -> list[str]:
        """Returns the problems since the last call."""
        found = [each for each in self._problems if not any(part in each for part in self.ignored)]
        self._problems.clear()
        return list(dict.fromkeys(found))

    def settle(self) -> None:
        """Waits until the view is complete."""
        self.page.wait_for_function(
            "() => document.querySelector('#view h1') && !document.querySelector('#view .loading')"
            " && [...document.querySelectorAll('.plot')].every(plot => plot.querySelector('canvas'))", timeout=15_000)
        self.page.wait_for_timeout(300)

    def axe(self, options: dict[str, Any] | None = None) -> list[str]:
        """Returns serious and critical violations."""
        results = Axe().run(self.page, options=options or {"resultTypes": ["violations"]}).response
        self._problems.clear()
        return [f"axe: {each['id']} ({each['impact']}): {each['help']}: {_nodes(each)}"
                for each in results["violations"] if options or each["impact"] in SERIOUS]

    def screenshot(self, file: Path) -> None:
        """Saves a picture of the whole view."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(file), full_page=True)


def _nodes(violation: dict[str, Any]) -> str:
    nodes = violation["nodes"]
    shown = [f"{node['target']} {(node['any'] or node['all'] or node['none'] or [{}])[0].get('message', '')}"
             for node in nodes[:2]]
    return "; ".join(shown) + (f" and {len(nodes) - 2} more" if len(nodes) > 2 else "")


@contextmanager
def watched_page(browser: Browser, size: str = "desktop", **settings: Any) -> Iterator[Watched]:
    """Opens a page of a size in its own context, which is not a first visit."""
    context = browser.new_context(viewport=SIZES[size], locale="en-GB", timezone_id="UTC", **settings)
    context.add_init_script("localStorage.tachogram ??= JSON.stringify({ welcomed: true, person: 'Anna' })")
    try:
        yield Watched(context.new_page())
    finally:
        try:
            context.close()
        except Error:
            pass  # The browser has gone, and has said why.
