"""The command line of the virtual strap. Knows nothing of bumble: `--help` answers at once."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from virtual_strap.behaviours import BehaviourError, Behaviours, help_text, parse_behaviours

DEFAULT_ADDRESS = "D0:5A:00:00:00:01"
MOST_STRAPS, MOST_ADAPTERS = 8, 4
# What a scan response has room for.
LONGEST_NAME = 29


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    transport: str
    adapters: int
    straps: int
    name: str
    address: str
    hz: float | None
    play: str
    control: Path | None
    log: Path | None
    behaviours: Behaviours
    verbose: bool

    def strap_name(self, index: int) -> str:
        return self.name if self.straps == 1 else f"{self.name} {index + 1}"


def parse_arguments(arguments: list[str]) -> Options:
    """Parses the arguments. Exits with status 2 and a message if they are invalid."""
    parser = _parser()
    found = parser.parse_args(arguments)
    try:
        behaviours = parse_behaviours(found.behaviour)
    except BehaviourError as error:
        parser.error(str(error))
    if found.transport != "vhci" and (found.straps != 1 or found.adapters != 1):
        parser.error("a real controller is one strap: --straps and --adapters are for the virtual radio")
    if len(f"{found.name} 8".encode()) > LONGEST_NAME:
        parser.error(f"the name is too long: {LONGEST_NAME - 2} bytes are the most")
    return Options(
        transport=found.transport, adapters=found.adapters, straps=found.straps, name=found.name, address=found.address,
        hz=found.rate, play=found.play, control=found.control, log=found.log, behaviours=behaviours,
        verbose=found.verbose)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tools/lab strap",
        description="Heart-rate straps without a person, on a virtual radio or a real Bluetooth controller.",
        epilog=f"behaviours (--behaviour NAME[=VALUE], as often as needed, for all straps):\n{help_text()}\n\n"
        "Ends with Ctrl-C or the control verb quit. File formats and verbs: tools/lib/lab/virtual_strap/README.md.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--transport", metavar="T", default="vhci",
        help="vhci (the default): adapters of the kernel's own and a radio between them and the straps; or a "
        "bumble transport with a real controller that becomes the strap: usb:0, hci-socket:0, "
        "serial:/dev/ttyACM0,1000000")
    add("--adapters", metavar="N", type=_count(MOST_ADAPTERS), default=1,
        help="adapters that the kernel sees, 1 unless given")
    add("--straps", metavar="N", type=_count(MOST_STRAPS), default=1, help="straps, 1 (unless given) to 8")
    add("--name", default="Virtual Strap", help="advertised name; several straps have their number after it")
    add("--address", type=_address, default=DEFAULT_ADDRESS,
        help=f"static random address of the first strap, {DEFAULT_ADDRESS} unless given; the others count up from it")
    add("--rate", metavar="HZ", type=_rate,
        help="values a second; without it 1, or the timing of the file that is played")
    add("--play", metavar="WHAT", default="rhythm",
        help="FILE: a btsnoop capture's Heart Rate Measurements or a script of values, from the beginning again at "
        "its end; rhythm (the default): a heart; counter: RR fields that count; forms: every combination of the flags")
    add("--control", metavar="PATH", type=Path, help="unix socket for the control verbs")
    add("--log", metavar="PATH", type=Path,
        help="writes a JSON line for every value handed to the link and every event")
    add("--behaviour", metavar="NAME[=VALUE]", action="append", default=[], help="see below")
    add("--verbose", action="store_true", help="events on stdout, bumble's own log on stderr")
    return parser


def _count(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {most}")
        return int(text)

    return read


def _rate(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of values a second")
    return value


def _address(text: str) -> str:
    if not re.fullmatch(r"([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}", text) or int(text[:2], 16) < 0xC0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a static random address: six bytes, the first C0 to FF")
    return text.upper()
