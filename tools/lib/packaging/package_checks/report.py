"""What was judged, and what did not hold."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path


class CheckUnavailable(Exception):
    """A check cannot be made here; the message says why and what to do."""


@dataclass
class Report:
    """Counts expectations and keeps those that were not met."""

    judged: int = 0
    failures: list[str] = field(default_factory=list)

    def expect(self, holds: bool, failure: str) -> None:
        """Notes one expectation; `failure` is what is wrong when it does not hold."""
        self.judged += 1
        if not holds:
            self.failures.append(failure)

    def expect_equal(self, found: object, wanted: object, what: str) -> None:
        """Notes an expectation that two things are the same."""
        self.expect(found == wanted, f"{what}: {found!r}, not {wanted!r}")


def say(text: str) -> None:
    """Tells people what is going on: stdout belongs to data."""
    print(text, file=sys.stderr, flush=True)


def run(command: list[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end and keeps what it says; the caller judges its exit code."""
    arguments: dict[str, object] = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, **options}
    return subprocess.run([str(part) for part in command], check=False, **arguments)  # type: ignore[call-overload]
