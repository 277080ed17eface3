"""What the kernel has received for a program that has not read it yet."""

from __future__ import annotations

from pathlib import Path

SOCKETS = Path("/proc/net/l2cap")
ROOM = Path("/proc/sys/net/core/rmem_default")
# The column of the bytes that wait in a socket.
WAITING = 2


class Backlog:
    """The fullest of the kernel's L2CAP queues. Linux drops values that do not fit (277 values of a daemon that does
    not read), although the link has delivered them, so a sender without losses has to check."""

    def __init__(self, sockets: Path = SOCKETS, room: Path = ROOM) -> None:
        try:
            self._file = sockets.open("rb", buffering=0)
            self._limit = int(room.read_text()) // 2
        except (OSError, ValueError):
            self._file = None

    def is_long(self) -> bool:
        """Returns whether a queue is more than half full; false if the kernel does not report it."""
        if self._file is None:
            return False
        self._file.seek(0)
        rows = self._file.read(65536).splitlines()[1:]
        return max((int(row.split()[WAITING]) for row in rows), default=0) > self._limit

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
