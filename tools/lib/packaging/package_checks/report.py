"""What was judged, and what did not hold."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path


class CheckUnavailable(Exception):
    """A check is not possible here; the message has the reason and the remedy."""


class StepFailed(Exception):
    """A step fails that all others depend on; the message describes the failure."""


@dataclass
class Report:
    """Counts expectations, and collects those that are not met."""

    judged: int = 0
    failures: list[str] = field(default_factory=list)

    def expect(self, holds: bool, failure: str) -> None:
        """Checks an expectation; `failure` is the message if it does not hold."""
        self.judged += 1
        if not holds:
            self.failures.append(failure)

    def expect_equal(self, found: object, wanted: object, what: str) -> None:
        """Checks that two values are equal."""
        self.expect(found == wanted, f"{what}: {found!r}, not {wanted!r}")


def say(text: str) -> None:
    """Reports progress on stderr, because stdout is for data."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def progress(title: str) -> Iterator[None]:
    """Reports the beginning of something that takes long, and each half minute of it."""
    ended = threading.Event()

    def tick() -> None:
        seconds = 0
        while not ended.wait(30):
            seconds += 30
            say(f"{title} … {seconds} s")

    say(f"{title} …")
    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield
    finally:
        ended.set()
        ticker.join()


def run(command: list[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end and keeps its output; the caller checks its exit code."""
    arguments: dict[str, object] = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, **options}
    return subprocess.run([str(part) for part in command], check=False, **arguments)  # type: ignore[call-overload]
