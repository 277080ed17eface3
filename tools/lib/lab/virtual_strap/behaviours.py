"""What a strap may do that makes life hard for a gateway. Each is off unless `--behaviour` asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Callable

from virtual_strap import spoil
from virtual_strap.spoil import Spoiler


class BehaviourError(Exception):
    """An unknown behaviour, or an invalid value."""


@dataclass(frozen=True)
class ConnectionParameters:
    """The connection parameters that a strap requests: interval in ms, latency in intervals, timeout in ms."""

    minimum_ms: float
    maximum_ms: float
    latency: int
    timeout_ms: float


@dataclass(frozen=True)
class Behaviours:
    """The behaviours of all straps of the process."""

    notify_before_response: bool = False
    require_bonding: bool = False
    passkey: int | None = None
    io: str | None = None
    random_resolvable: bool = False
    ask_parameters: ConnectionParameters | None = None
    drop_on_rejected_parameters: float | None = None
    drop_after: float | None = None
    silent_after: float | None = None
    flood: float | None = None
    measurements: bool = False
    equal_payloads: bool = False
    odd_length: bool = False
    wrong_flags: bool = False

    def spoilers(self) -> list[Spoiler]:
        makers: list[tuple[bool, Callable[[], Spoiler]]] = [
            (self.equal_payloads, spoil.equal_payloads),
            (self.odd_length, spoil.odd_length),
            (self.wrong_flags, spoil.wrong_flags),
        ]
        return [make() for wanted, make in makers if wanted]


def _switch(text: str | None) -> bool:
    if text is not None:
        raise ValueError("it takes no value")
    return True


def _seconds(text: str | None) -> float:
    value = float(_needed(text))
    if not 0 <= value < float("inf"):
        raise ValueError("that is not a time in seconds")
    return value


def _grace(text: str | None) -> float:
    return 5.0 if text is None else _seconds(text)


def _hertz(text: str | None) -> float:
    value = float(_needed(text))
    if not 0 < value < float("inf"):
        raise ValueError("that is not a rate above 0")
    return value


def passkey(text: str | None) -> int:
    value = int(_needed(text))
    if not 0 <= value <= 999_999:
        raise ValueError("a passkey has at most six digits")
    return value


def _io(text: str | None) -> str:
    if text not in ("none", "display", "keyboard", "yesno"):
        raise ValueError("it is none, display, keyboard or yesno")
    return text


def _parameters(text: str | None) -> ConnectionParameters:
    parts = _needed(text).split("/")
    if len(parts) != 4:
        raise ValueError("it is MIN/MAX/LATENCY/TIMEOUT, times in ms, for example 400/650/0/6000")
    return ConnectionParameters(float(parts[0]), float(parts[1]), int(parts[2]), float(parts[3]))


def _needed(text: str | None) -> str:
    if not text:
        raise ValueError("it needs a value")
    return text


@dataclass(frozen=True)
class Description:
    """A behaviour: its value in the usage, its effect, and its parser."""

    value: str
    help: str
    read: Callable[[str | None], object] = field(repr=False)


DESCRIPTIONS: dict[str, Description] = {
    "notify-before-response": Description("", "the first value leaves before the answer to the CCC write", _switch),
    "require-bonding": Description(
        "", "notifications need an encrypted link: Just Works, or a passkey with io=…", _switch
    ),
    "passkey": Description("=N", "the number that the strap shows or types; without io=… it has a display", passkey),
    "io": Description("=IO", "what the strap has: none, display, keyboard, yesno", _io),
    "random-resolvable": Description(
        "", "a resolvable private address, another one at every start of advertising", _switch
    ),
    "ask-parameters": Description(
        "=MIN/MAX/LATENCY/TIMEOUT", "asks for connection parameters 1 s after the connection (ms)", _parameters
    ),
    "drop-on-rejected-parameters": Description(
        "[=S]", "ends the link (0x3b) S seconds after a rejection, 5 unless given", _grace
    ),
    "drop-after": Description("=S", "ends the link (0x13) S seconds after the connection", _seconds),
    "silent-after": Description("=S", "stays connected but sends no more S seconds after the subscription", _seconds),
    "equal-payloads": Description("", "all values are equal to the first", _switch),
    "odd-length": Description("", "every second value ends in the middle of an RR interval", _switch),
    "wrong-flags": Description("", "every second value claims fields that are not there", _switch),
    "measurements": Description("", "offers acceleration and ECG as Polar's straps do, and sends acceleration", _switch),
    "flood": Description("=HZ", "sends HZ values a second, fewer while the kernel's queue is half full", _hertz),
}


def parse_behaviours(arguments: list[str]) -> Behaviours:
    """Parses `NAME` or `NAME=VALUE`; later ones take precedence."""
    behaviours = Behaviours()
    for argument in arguments:
        name, equals, text = argument.partition("=")
        description = DESCRIPTIONS.get(name)
        if description is None:
            raise BehaviourError(f"there is no behaviour {name!r}; there are {', '.join(DESCRIPTIONS)}")
        try:
            value = description.read(text if equals else None)
        except ValueError as error:
            raise BehaviourError(f"the behaviour {argument!r} cannot be understood: {error}") from error
        behaviours = replace(behaviours, **{name.replace("-", "_"): value})
    return behaviours


def help_text() -> str:
    """Returns a line for each behaviour, for `--help`."""
    short = [name + found.value for name, found in DESCRIPTIONS.items() if len(found.value) < 12]
    width = max(map(len, short))
    lines = []
    for name, description in DESCRIPTIONS.items():
        title = f"  {name}{description.value}"
        gap = f"\n{'':{width + 4}}" if len(title) > width + 2 else " " * (width + 4 - len(title))
        lines.append(f"{title}{gap}{description.help}")
    return "\n".join(lines)
