"""The signals of bluetoothd, as dbus-monitor sees them on the bus."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from radio_lab.guest.service import Service
from radio_lab.guest.waiting import wait_until

HEAD = re.compile(
    r"^signal time=\S+ sender=\S+ .*path=(?P<path>[^;]*); interface=(?P<interface>[^;]*); member=(?P<member>\S+)"
)
ENTRY = re.compile(r'string "(?P<name>\w+)"\n\s+variant\s+(?P<value>.*(?:\n +(?:[0-9a-f]{2} ?)+$)*)', re.MULTILINE)
STRING = re.compile(r'string "([^"]*)"')


@dataclass(frozen=True)
class BusSignal:
    """A signal: the object, the member, the interface that it is about, and the text of its arguments."""

    path: str
    member: str
    subject: str
    text: str

    @property
    def properties(self) -> dict[str, str]:
        """Returns the new properties of PropertiesChanged: words such as `true`, or the hexadecimal digits of bytes."""
        if self.member != "PropertiesChanged":
            return {}
        return {match["name"]: _value(match["value"]) for match in ENTRY.finditer(self.text)}

    @property
    def strings(self) -> list[str]:
        """Returns the strings among the arguments."""
        return STRING.findall(self.text)


def parse_signals(text: str) -> list[BusSignal]:
    """Returns the signals in the output of dbus-monitor, in order."""
    signals: list[BusSignal] = []
    for piece in re.split(r"^(?=signal |method |error )", text, flags=re.MULTILINE):
        head = HEAD.match(piece)
        if head:
            arguments = piece[head.end():]
            subject = next(iter(STRING.findall(arguments)), "") if head["member"] == "PropertiesChanged" else ""
            signals.append(BusSignal(head["path"], head["member"], subject or head["interface"], arguments))
    return signals


def _value(text: str) -> str:
    kind, _, rest = " ".join(text.split()).partition(" ")
    if kind == "array":
        return "".join(re.findall(r"\b[0-9a-f]{2}\b", rest))
    return rest.strip('"')


class BusMonitor:
    """dbus-monitor on the system bus."""

    def __init__(self, logs: Path) -> None:
        self._service = Service(["dbus-monitor", "--system", "type='signal'"], logs / "bus.log")
        self._seen = 0

    def start(self) -> None:
        """Starts it, and waits until it receives signals: the first one is about its own name."""
        self._service.start()
        wait_until("dbus-monitor watches", lambda: self._signals(), 10)

    def mark(self) -> None:
        """Forgets the signals so far."""
        self._seen = len(self._signals())

    def signals(self, path: str) -> list[BusSignal]:
        """Returns the signals of an object since the last mark."""
        return [signal for signal in self._signals()[self._seen:] if signal.path == path]

    def stop(self) -> None:
        """Ends it."""
        self._service.stop()

    def _signals(self) -> list[BusSignal]:
        return parse_signals(self._service.log.read_text(errors="replace"))
