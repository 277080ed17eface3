"""Running tachogram and reading what it prints."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True)
class Run:
    """A finished run."""

    code: int | None
    output: str
    errors: str
    seconds: float

    @property
    def crashed(self) -> bool:
        """Returns whether a signal or the deadline ended it."""
        return self.code is None or self.code < 0 or self.code >= 128

    def describe(self) -> str:
        """Returns a description of its end, for messages."""
        ending = f"no end in {TIMEOUT_SECONDS:.0f} s" if self.code is None else f"exit {self.code}"
        first = self.errors.strip().splitlines()[:1]
        return f"{ending}{': ' + first[0] if first else ''}"

    def object(self) -> dict[str, Any] | None:
        """Returns the JSON object on stdout, or None."""
        try:
            value = json.loads(self.output)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None

    def lines(self) -> list[dict[str, Any]] | None:
        """Returns the JSON objects on stdout, one per line, or None if a line is something else."""
        try:
            values = [json.loads(line) for line in self.output.splitlines() if line.strip()]
        except ValueError:
            return None
        return values if all(isinstance(value, dict) for value in values) else None


@dataclass(frozen=True)
class Program:
    """The program under test."""

    binary: Path

    def run(self, *arguments: str) -> Run:
        """Runs the program to its end or to the deadline."""
        started = time.perf_counter()
        try:
            done = subprocess.run(
                [self.binary, *arguments], capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS
            )
        except subprocess.TimeoutExpired as expired:
            return Run(None, _text(expired.stdout), _text(expired.stderr), time.perf_counter() - started)
        seconds = time.perf_counter() - started
        return Run(done.returncode, _text(done.stdout), _text(done.stderr), seconds)


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", errors="replace")


def is_number(value: object) -> TypeGuard[float]:
    """Returns whether a JSON value is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
