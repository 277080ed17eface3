"""A strap on the fake Bluetooth daemon that says numbered values when it is told to, and what became of them."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

# An 8-bit rate with energy expended and RR intervals; the bundled captures do not send energy together with intervals
# of this length. The energy is the number.
FLAGS, RATE, INTERVAL = 0x18, 75, 0x0333


class MarkedStrap:
    """A strap that plays a capture with marks between its values."""

    def __init__(self, process: subprocess.Popen[str], bus: str):
        self._process = process
        self.bus = bus
        self.said = 0

    def say(self, seconds: float, every: float = 0.2) -> None:
        """Sends marks for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = bytes([FLAGS, RATE]) + self.said.to_bytes(2, "little") + INTERVAL.to_bytes(2, "little")
            self._process.stdin.write(f"value 1 {value.hex()}\n")
            self._process.stdin.flush()
            if (answer := self._process.stdout.readline().strip()) != "ok":
                raise SystemExit(f"full-disk: the fake daemon answered {answer!r}")
            self.said += 1
            time.sleep(every)


@contextmanager
def marked_strap(fake: str, capture: Path) -> Iterator[MarkedStrap]:
    """Runs a strap on a private bus."""
    process = subprocess.Popen(
        [fake, "--capture", str(capture), "--straps", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    try:
        yield MarkedStrap(process, process.stdout.readline().strip())
    finally:
        process.terminate()
        process.wait()


def mark(value: bytes | None) -> int | None:
    """Returns the number of a value that is a mark."""
    is_mark = value is not None and len(value) == 6 and value[:2] == bytes([FLAGS, RATE])
    return int.from_bytes(value[2:4], "little") if is_mark and value[4:] == INTERVAL.to_bytes(2, "little") else None


def stored_marks(database: Path) -> list[int]:
    """Returns the marks in the ledger, in order. Ends the trial if the database is damaged or a number is missing."""
    with tempfile.TemporaryDirectory() as beside:
        for suffix in ("", "-wal"):
            if (file := database.with_name(database.name + suffix)).exists():
                shutil.copy2(file, Path(beside) / file.name)
        with closing(sqlite3.connect(Path(beside) / database.name)) as connection:
            findings = connection.execute("PRAGMA integrity_check").fetchall()
            findings += connection.execute("PRAGMA foreign_key_check").fetchall()
            rows = connection.execute(
                "SELECT session.key, sequence, value FROM ledger JOIN session ON session.key = ledger.session "
                "ORDER BY session.start_us, session.key, sequence").fetchall()
    if findings != [("ok",)]:
        raise SystemExit(f"full-disk: the database is damaged: {findings[:3]}")
    expected: dict[int, int] = {}
    for session, sequence, _ in rows:
        if sequence != expected.setdefault(session, 0):
            raise SystemExit(f"full-disk: session {session} has entry {sequence} where {expected[session]} follows")
        expected[session] += 1
    return [number for _, _, value in rows if (number := mark(value)) is not None]
