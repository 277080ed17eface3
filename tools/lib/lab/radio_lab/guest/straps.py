"""The virtual straps: told what to do through their control socket, watched through their log."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radio_lab.guest.failure import ScenarioFailure
from radio_lab.guest.service import Service, wait_for_path
from radio_lab.guest.waiting import wait_until


@dataclass(frozen=True)
class StrapValue:
    """A value that a strap sent on its link; `time` in seconds of the guest's monotonic clock."""

    time: float
    strap: int
    connection: int
    number: int
    value: str


@dataclass(frozen=True)
class StrapEvent:
    """An event of a strap."""

    time: float
    strap: int
    kind: str
    facts: dict[str, Any]


class Straps:
    """The radio of the guest: straps, and the adapters that receive them."""

    def __init__(self, python: str, arguments: list[str], folder: Path) -> None:
        self._control = folder / "straps.socket"
        self.log = folder / "straps.ndjson"
        self.service = Service(
            [python, "-m", "virtual_strap", "--control", str(self._control), "--log", str(self.log), *arguments],
            folder / "straps.log",
        )

    def start(self) -> None:
        """Starts the straps."""
        self.service.start()

    def wait_ready(self) -> None:
        """Waits until they accept commands and advertise."""
        wait_for_path(self._control, self.service, 20)
        # The path is there a moment before anybody listens at it.
        wait_until("the straps answer", self._answers, 10)
        wait_until("the straps advertise", lambda: self.events("advertising"), 10)

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(str(self._control))
            except ConnectionRefusedError:
                return False
        return True

    def do(self, verb: str, strap: int = 0, **arguments: Any) -> dict[str, Any]:
        """Sends a command to a strap. Returns its answer."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(30)
            connection.connect(str(self._control))
            connection.sendall(json.dumps({"do": verb, "strap": strap, **arguments}).encode() + b"\n")
            with connection.makefile() as answers:
                answer = json.loads(answers.readline() or "{}")
        if not answer.get("ok"):
            raise ScenarioFailure(f"the strap does not {verb} {arguments}: {answer.get('error', 'no answer')}")
        return answer

    def state(self, strap: int = 0) -> dict[str, Any]:
        """Returns the state of a strap."""
        return next(state for state in self.do("state")["straps"] if state["index"] == strap)

    def address(self, strap: int = 0) -> str:
        """Returns its address."""
        return str(self.state(strap)["address"]).split("/")[0].upper()

    def identity(self, strap: int = 0) -> str:
        """Returns its identity address, which does not change."""
        return str(self.state(strap)["identity"]).split("/")[0].upper()

    def adapter(self, index: int = 0) -> str:
        """Returns the address of a virtual adapter."""
        adapters = self.do("state")["adapters"]
        return str(next(adapter for adapter in adapters if adapter["index"] == index)["address"]).split("/")[0].upper()

    # What they did

    def values(self, strap: int = 0, connection: int | None = None) -> list[StrapValue]:
        """Returns the values that a strap has sent, in order."""
        return [
            StrapValue(line["t"], line["strap"], line["connection"], line["n"], line["hex"])
            for line in self._lines()
            if "hex" in line and "event" not in line and line["strap"] == strap
            and connection in (None, line["connection"])
        ]

    def events(self, kind: str | None = None, strap: int | None = None, after: float = 0) -> list[StrapEvent]:
        """Returns their events, in order."""
        return [
            StrapEvent(line["t"], line.get("strap", 0), line["event"], line)
            for line in self._lines()
            if "event" in line and kind in (None, line["event"]) and line["t"] > after
            and strap in (None, line.get("strap", 0))
        ]

    def await_event(self, kind: str, after: float, seconds: float, strap: int = 0) -> StrapEvent:
        """Waits for the first such event after a time."""
        return wait_until(
            f"strap {strap} tells {kind!r}", lambda: self.events(kind, strap, after), seconds
        )[0]

    def _lines(self) -> list[dict[str, Any]]:
        if not self.log.exists():
            return []
        # The last line may still be being written.
        whole = self.log.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines()]
