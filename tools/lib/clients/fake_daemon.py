"""The fake Bluetooth daemon on a bus of its own, told what to do."""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

ANSWER_SECONDS = 10.0
# No service manager is faster. bluetoothctl misses a daemon that is back before it prints that it waits for one.
DOWN_SECONDS = 0.5


class DaemonFailure(Exception):
    """The fake daemon failed; the text is the reason."""


@dataclass(frozen=True)
class Strap:
    """A strap of the fake daemon: its number in commands, and its facts for clients."""

    number: int
    address: str
    name: str

    @property
    def path(self) -> str:
        """The path of its object."""
        return "/org/bluez/hci0/dev_" + self.address.replace(":", "_")


class FakeDaemon:
    """The fake daemon. It runs until it is closed or this process ends, which holds its standard input."""

    def __init__(self, binary: str, capture: Path, *options: str) -> None:
        self._process = subprocess.Popen(
            [binary, "--capture", str(capture), *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.address = self._line()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _line(self) -> str:
        try:
            line = self._lines.get(timeout=ANSWER_SECONDS)
        except queue.Empty:
            raise DaemonFailure("the fake daemon does not answer") from None
        if line is None:
            raise DaemonFailure(f"the fake daemon ended with {self._process.wait()}")
        return line

    def do(self, verb: str) -> None:
        """Executes a command."""
        assert self._process.stdin is not None
        self._process.stdin.write(verb + "\n")
        self._process.stdin.flush()
        if (answer := self._line()) != "ok":
            raise DaemonFailure(f"{verb}: {answer}")

    def start(self) -> None:
        """Starts the daemon again, as a service manager would."""
        time.sleep(DOWN_SECONDS)
        self.do("start")

    def straps(self, count: int) -> list[Strap]:
        """Returns the first straps."""
        self.do("status")
        rows = [self._line().split("  ") for _ in range(count)]
        return [Strap(int(number), address, name) for number, address, name, *_ in rows]

    def is_paired(self, strap: Strap) -> bool:
        """Returns whether a strap is paired, as a third program reports it."""
        done = subprocess.run(
            ["gdbus", "call", "--address", self.address, "--dest", "org.bluez", "--object-path", strap.path, "--method",
             "org.freedesktop.DBus.Properties.Get", "org.bluez.Device1", "Paired"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=ANSWER_SECONDS)
        return "true" in done.stdout

    def close(self) -> None:
        """Ends the daemon."""
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
