"""A page as the browser source of OBS shows it."""

from __future__ import annotations

import json
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from steps import Unmet

# What a browser source has until something else is entered.
SIZE = (800, 600)
STYLE = "body { background-color: rgba(0, 0, 0, 0); margin: 0px auto; overflow: hidden; }"
ANSWER_SECONDS = 30.0
NUMBER = struct.Struct("<q")


def end_session(process: subprocess.Popen[Any]) -> None:
    """Kills a process that leads a session, with all of the session that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


class BrowserSource:
    """A process with the page, and its last picture."""

    def __init__(self, address: str, folder: Path, display: str, *, size: tuple[int, int] = SIZE, style: str = STYLE) -> None:
        self.size = size
        self.said: list[str] = []
        self._pictures = folder / f"pictures-{time.monotonic_ns()}"
        environment = {**os.environ, "DISPLAY": display, "HOME": str(folder), "TMPDIR": str(folder)}
        self._process = subprocess.Popen(
            [sys.executable, "-B", Path(__file__).with_name("cef_page.py"), address, *map(str, size), self._pictures, style],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=(folder / "cef.log").open("ab"), text=True,
            env=environment, start_new_session=True)
        self._events: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def close(self) -> None:
        """Ends the page, with all processes of its browser."""
        end_session(self._process)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            # The wrapper prints warnings of its own.
            if line.startswith("{"):
                event = json.loads(line)
                if event["event"] == "console":
                    self.said.append(event["text"])
                else:
                    self._events.put(event)
        self._events.put(None)

    def outcome(self) -> dict[str, Any]:
        """Returns the next thing that happened to the page."""
        try:
            event = self._events.get(timeout=ANSWER_SECONDS)
        except queue.Empty:
            raise Unmet("the page neither loads nor fails") from None
        if event is None:
            raise Unmet(f"the browser ended with {self._process.wait()}")
        return event

    def do(self, verb: str) -> None:
        """Hides or shows the source, or refreshes its page."""
        assert self._process.stdin is not None
        self._process.stdin.write(verb + "\n")
        self._process.stdin.flush()
        while self.outcome() != {"event": "done", "verb": verb}:
            pass

    def picture(self) -> Image.Image | None:
        """Returns the last picture, with straight alpha, or `None` before the first."""
        rows = self._rows()
        return None if rows is None else Image.frombytes("RGBA", self.size, rows, "raw", "BGRa")

    def _rows(self) -> bytes | None:
        if not self._pictures.exists():
            return None
        rows = self.size[0] * self.size[1] * 4
        with self._pictures.open("rb", buffering=0) as file:
            # From the back: the number there is written last, and the one in front first.
            while len(behind := os.pread(file.fileno(), NUMBER.size, NUMBER.size + rows)) == NUMBER.size:
                picture = os.pread(file.fileno(), rows, NUMBER.size)
                if os.pread(file.fileno(), NUMBER.size, 0) == behind:
                    return picture if NUMBER.unpack(behind)[0] else None
                if self._process.poll() is not None:
                    raise Unmet("the browser ended while it drew")
        return None

    def wait(self, what: str, holds: Callable[[Image.Image], bool], within: float = ANSWER_SECONDS) -> None:
        """Waits until the picture is as it must be, for a number of seconds."""
        begun = time.monotonic()
        while True:
            picture = self.picture()
            if picture is not None and holds(picture):
                return
            if time.monotonic() - begun > within:
                raise Unmet(f"{what}: not within {within:g} s; the page said {self.said[-3:]}")
            time.sleep(0.05)
