"""The steps of a check: one line each, and whether each went as it must."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Unmet(Exception):
    """A step failed; the text is the reason."""


def expect(holds: object, seen: str) -> None:
    """Fails the step with a text, unless the condition holds."""
    if not holds:
        raise Unmet(seen)


class Steps:
    """Runs steps, and prints a line for each. A failed step does not end the others."""

    def __init__(self) -> None:
        self.count = 0
        self.failed: list[str] = []

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Runs a step, which fails with any exception raised in it."""
        self.count += 1
        begun = time.monotonic()
        failure = ""
        try:
            yield
        except Unmet as unmet:
            failure = str(unmet)
        except TimeoutError:
            failure = "it did not end in time"
        except Exception as error:  # noqa: BLE001: clients raise what they like
            failure = f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - begun
        if failure:
            self.failed.append(title)
            print(f"FAILED  {title} ({seconds:.1f} s): {failure}", flush=True)
        else:
            print(f"ok      {title} ({seconds:.1f} s)", flush=True)
