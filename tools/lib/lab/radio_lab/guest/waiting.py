"""Waiting for what others do, with an end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from radio_lab.guest.failure import ScenarioFailure

Value = TypeVar("Value")


def wait_until(what: str, look: Callable[[], Value | None], seconds: float, pause: float = 0.05) -> Value:
    """Waits until a function returns a true value, and returns it; otherwise fails the scenario with `what`."""
    end = time.monotonic() + seconds
    while True:
        seen = look()
        if seen:
            return seen
        if time.monotonic() >= end:
            raise ScenarioFailure(f"{what}: not within {seconds:g} s")
        time.sleep(pause)
