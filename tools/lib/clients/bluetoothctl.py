"""bluetoothctl as a person uses it: lines are typed, and what it prints is looked for."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time

from steps import Unmet

EXPECTED_WITHIN_SECONDS = 20.0
# Colours, movements of the cursor, and what readline brackets its prompts with.
DECORATION = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x01\x02\r]")
PROMPT = re.compile(r"\[[^\]\n]*\][#>] ")


def plain(line: str) -> str:
    """Returns a line without decoration and prompt, and with single spaces."""
    return " ".join(PROMPT.sub(" ", DECORATION.sub("", line)).split())


class Bluetoothctl:
    """A running bluetoothctl. Its output is kept as plain lines, of which the last may be incomplete."""

    def __init__(self, home: str) -> None:
        # Into a pipe, it keeps what it prints to itself while it is not asked anything.
        self._process = subprocess.Popen(
            ["stdbuf", "--output=0", "bluetoothctl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace",
            env={**os.environ, "HOME": home, "XDG_CACHE_HOME": home, "TERM": "dumb"})
        self._lines, self._rest = "", ""
        self._news = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while piece := os.read(self._process.stdout.fileno(), 65536):
            with self._news:
                *lines, self._rest = (self._rest + piece.decode(errors="replace")).split("\n")
                self._lines += "".join(plain(line) + "\n" for line in lines)
                self._news.notify_all()

    @property
    def _text(self) -> str:
        return self._lines + plain(self._rest)

    def type(self, line: str) -> int:
        """Types a line. Returns the position after which its effects are printed."""
        assert self._process.stdin is not None
        with self._news:
            place = len(self._lines)
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return place

    def expect(self, pattern: str, after: int = 0, seconds: float = EXPECTED_WITHIN_SECONDS) -> re.Match[str]:
        """Waits until a pattern is printed after a position."""
        end = time.monotonic() + seconds
        with self._news:
            while (match := re.compile(pattern).search(self._text, after)) is None:
                left = end - time.monotonic()
                if left <= 0 or not self._news.wait(left):
                    last = " | ".join(self._text[after:].split("\n")[-6:])
                    raise Unmet(f"{pattern!r} was not printed within {seconds:g} s, but {last[-300:]!r}")
        return match

    def say(self, line: str, pattern: str, seconds: float = EXPECTED_WITHIN_SECONDS) -> re.Match[str]:
        """Types a line, and waits for its output."""
        return self.expect(pattern, self.type(line), seconds)

    def seen(self, pattern: str, after: int = 0) -> list[str]:
        """Returns all matches after a position."""
        with self._news:
            return re.findall(pattern, self._text[after:])

    def close(self) -> None:
        """Ends the program."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
