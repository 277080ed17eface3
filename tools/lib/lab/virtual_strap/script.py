"""A script of values for a strap to play: a text file of `AFTER_SECONDS HEX` lines.

    # comments and empty lines are skipped
    1.0   16 48 4a03       # one second after the value before: flags 16, 72 bpm, one RR interval
    0     1648             # at once; the hexadecimal digits may be grouped by spaces
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path


class PlayError(Exception):
    """A file cannot be played; the text is a sentence that names it."""


@dataclass(frozen=True)
class TimedValue:
    """A value with its distance to the previous one in seconds."""

    after: float
    value: bytes


def read_script(path: Path) -> list[TimedValue]:
    """Returns the values of a script file; an error names file and line."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PlayError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise PlayError(f"{path} is not text: a script has lines of AFTER_SECONDS HEX.") from error
    values = [
        _parse(line, f"{path}:{number}")
        for number, raw in enumerate(text.splitlines(), start=1)
        if (line := raw.split("#", 1)[0].strip())
    ]
    if not values:
        raise PlayError(f"{path} has no values: a script has lines of AFTER_SECONDS HEX.")
    if sum(value.after for value in values) <= 0:
        raise PlayError(f"{path} takes no time at all: at least one line needs more than 0 seconds.")
    return values


def _parse(line: str, where: str) -> TimedValue:
    words = line.split()
    try:
        after = float(words[0])
    except ValueError:
        raise PlayError(f"{where}: {words[0]!r} is not a number of seconds.") from None
    if not math.isfinite(after) or after < 0:
        raise PlayError(f"{where}: {words[0]} is not a time to wait; it must be 0 or more seconds.")
    if len(words) < 2:
        raise PlayError(f"{where}: the value is missing; a line is AFTER_SECONDS HEX.")
    digits = "".join(words[1:])
    try:
        return TimedValue(after, bytes.fromhex(digits))
    except ValueError:
        raise PlayError(f"{where}: {digits!r} is not a whole number of bytes in hexadecimal.") from None
