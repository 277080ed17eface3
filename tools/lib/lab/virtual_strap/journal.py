"""The notification log: a JSON line for every value that was handed to the link, and for every event."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any


class Journal:
    """A log with one write per line, so that a reader never gets a partial line. Without a path nothing is written."""

    def __init__(self, path: Path | None, echo: bool = False) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644) if path else None
        self._echo = echo

    def value(self, strap: int, connection: int, number: int, value: bytes) -> None:
        """Writes a value without the json module, for a thousand values per second."""
        if self._file is not None:
            line = (
                f'{{"t":{time.monotonic():.6f},"strap":{strap},"connection":{connection},"n":{number},'
                f'"hex":"{value.hex()}"}}\n'
            )
            os.write(self._file, line.encode())

    def event(self, event: str, **facts: Any) -> None:
        line = json.dumps({"t": round(time.monotonic(), 6), "event": event, **facts}, separators=(",", ":"))
        if self._file is not None:
            os.write(self._file, f"{line}\n".encode())
        if self._echo:
            print(line, flush=True)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
