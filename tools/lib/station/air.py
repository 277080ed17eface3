"""The straps of a fake Bluetooth daemon, which do what they are told."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Air:
    """The straps, numbered from 1, on a private bus."""

    def __init__(self, process: subprocess.Popen[str], straps: int):
        assert process.stdin is not None and process.stdout is not None
        self._input, self._output = process.stdin, process.stdout
        self.straps = straps
        self.bus = self._output.readline().strip()

    def ask(self, verb: str, lines: int = 0) -> list[str]:
        """Sends a request to the daemon. Returns the given number of lines after its answer."""
        self._input.write(verb + "\n")
        self._input.flush()
        if (answer := self._output.readline().strip()) != "ok":
            raise SystemExit(f"the fake daemon answered {answer!r} to {verb}")
        return [self._output.readline().strip() for _ in range(lines)]

    def addresses(self) -> list[str]:
        """Returns the addresses of the straps."""
        return [line.split("  ")[1] for line in self.ask("status", self.straps)]

    def subscribed(self) -> int:
        """Returns the number of straps with a subscriber."""
        return sum("subscribed" in line.split("  ") for line in self.ask("status", self.straps))

    def away(self) -> None:
        """Moves all straps out of range."""
        for number in range(1, self.straps + 1):
            self.ask(f"away {number}")


@contextmanager
def air(fake: str, capture: Path, straps: int, speed: float = 1, extra: tuple[str, ...] = ()) -> Iterator[Air]:
    """Runs a number of straps that play a capture; `extra` are further options of the fake daemon."""
    process = subprocess.Popen([fake, "--capture", str(capture), "--straps", str(straps), "--speed", str(speed), *extra],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield Air(process, straps)
    finally:
        process.terminate()
        process.wait()
