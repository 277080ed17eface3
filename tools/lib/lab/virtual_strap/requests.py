"""The control protocol's requests: one JSON object a line, read strictly: a scenario's slip shall not pass unseen."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any


class RequestError(Exception):
    """An invalid request; the text is a sentence."""


@dataclass(frozen=True)
class Request:
    """A command, its strap, and its arguments."""

    verb: str
    strap: int
    arguments: dict[str, Any]

    def only(self, *names: str) -> None:
        """Refuses unknown arguments."""
        for name in self.arguments:
            if name not in names:
                raise RequestError(f"{self.verb} knows no {name!r}; it knows {', '.join(names) or 'no arguments'}.")

    def has(self, name: str) -> bool:
        return name in self.arguments

    def number(self, name: str, least: float, most: float, default: float | None = None) -> float:
        value = self.arguments.get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise RequestError(f"{self.verb} needs a number {name!r}.")
        if not least <= value <= most:
            raise RequestError(f"{self.verb}: {name!r} is {value:g}; it must be from {least:g} to {most:g}.")
        return value

    def integer(self, name: str, least: int, most: int, default: int | None = None) -> int:
        value = self.number(name, least, most, default)
        if value != int(value):
            raise RequestError(f"{self.verb}: {name!r} is not a whole number.")
        return int(value)

    def flag(self, name: str) -> bool:
        value = self.arguments.get(name)
        if not isinstance(value, bool):
            raise RequestError(f"{self.verb} needs {name!r}: true or false.")
        return value

    def text(self, name: str) -> str:
        value = self.arguments.get(name)
        if not isinstance(value, str) or not value:
            raise RequestError(f"{self.verb} needs a text {name!r}.")
        return value

    def bytes(self, name: str) -> bytes:
        try:
            return bytes.fromhex(self.text(name))
        except ValueError:
            raise RequestError(f"{self.verb}: {name!r} is not a whole number of bytes in hexadecimal.") from None


def parse_request(line: bytes) -> Request:
    try:
        message = json.loads(line)
    except ValueError:
        raise RequestError("A request is one line of JSON.") from None
    if not isinstance(message, dict) or not isinstance(message.get("do"), str):
        raise RequestError('A request is an object with a verb: {"do": "state"}.')
    strap = message.pop("strap", 0)
    if isinstance(strap, bool) or not isinstance(strap, int):
        raise RequestError("The strap is a number; the first is 0.")
    return Request(message.pop("do"), strap, message)
