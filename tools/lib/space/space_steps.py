"""Random steps of a trial, each of which depends on the seed and its number alone, and their commands."""

from __future__ import annotations

import random
import struct
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from space_stations import Station

FIXTURES = Path(__file__).resolve().parents[3] / "Fixtures"
CAPTURES = ("rest", "exercise", "contact-loss", "energy", "two-links")
# How often each step is made, compared with the others.
WEIGHTS = {
    "import": 3, "replay": 2, "label": 1, "note": 1, "person": 1, "mark": 2, "unmark": 1, "split": 4, "merge": 4, "delete": 2,
    "delete-person": 1, "delete-range": 1, "reprocess": 1, "straps": 1, "sync": 9, "kill": 3,
}
GROUPS = {"edit": ("label", "note", "person"), "delete": ("delete", "delete-person", "delete-range")}
DIVISIONS = frozenset({"split", "merge"})
# Steps that a sensor can make; it reads nothing that others recorded.
OF_SENSORS = frozenset({"import", "replay", "sync", "kill"})
FIRST_SHARE, SECOND_SHARE = 0.42, 0.84
# The instant of the earliest imported interval, in seconds; captures have their own time, which is shifted.
START = 1_769_900_000
KILL_EARLIEST, KILL_LATEST = 0.01, 0.2
# The header of a record of a btsnoop file, and how the value of a heart-rate notification begins in the fixtures.
RECORD, NOTIFICATION, HAS_INTERVALS = struct.Struct(">IIIIq"), b"\x04\x00\x1b", 0x10


@dataclass(frozen=True)
class Step:
    """A step of a trial. `rolls` are the random numbers that it uses."""

    number: int
    kind: str
    station: int
    rolls: tuple[float, ...]


def excluded(names: Collection[str]) -> set[str]:
    """Returns the steps that names and groups of steps name."""
    return {kind for name in names for kind in GROUPS.get(name, (name,))}


def draw(seed: int, count: int, without: Collection[str], sensor: bool, one_divides: bool) -> list[Step]:
    """Draws the steps of a trial. With `one_divides`, the first station alone splits and merges."""
    kinds = [kind for kind, weight in WEIGHTS.items() for _ in range(weight) if kind not in without]
    steps = []
    for number in range(count):
        numbers = random.Random(f"{seed}/{number}")
        kind, place = numbers.choice(kinds), numbers.random()
        rolls = tuple(numbers.random() for _ in range(6))
        station = 0 if place < FIRST_SHARE else 1 if place < SECOND_SHARE else 2
        if station == 2:
            # The third station records and synchronises less often than the others.
            if kind == "sync" and rolls[5] < 0.5 and "label" in kinds:
                kind = "label"
            elif kind in ("import", "replay") and rolls[5] < 0.6:
                station = 0
            if sensor and kind not in OF_SENSORS:
                station = 1
        if one_divides and kind in DIVISIONS:
            station = 0
        steps.append(Step(number, kind, station, rolls))
    return steps


def written(microseconds: float) -> str:
    """Returns an instant as the program reads it."""
    return datetime.fromtimestamp(microseconds / 1e6, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def chosen(rows: list[tuple], roll: float) -> tuple:
    """Returns one of several rows."""
    return rows[int(roll * len(rows))]


def write_capture(name: str, path: Path, shift: float, seed: str) -> None:
    """Writes a capture of the fixtures at another time, in seconds, with other RR intervals."""
    numbers, data = random.Random(seed), (FIXTURES / name / "input.btsnoop").read_bytes()
    output, place = bytearray(data[:16]), 16
    while place + RECORD.size <= len(data):
        original, included, flags, drops, time = RECORD.unpack_from(data, place)
        place += RECORD.size
        packet = bytearray(data[place:place + included])
        place += included
        begin = bytes(packet).find(NOTIFICATION)
        if 5 <= begin <= 8 and len(packet) >= begin + 9 and packet[begin + 5] & HAS_INTERVALS:
            packet[-2] ^= numbers.randint(0, 31)
        output += RECORD.pack(original, included, flags, drops, time + round(shift * 1e6)) + packet
    path.write_bytes(output)


def write_intervals(path: Path, count: int, seed: str) -> None:
    """Writes a file of RR intervals in milliseconds."""
    numbers = random.Random(seed)
    path.write_text("".join(f"{numbers.randint(650, 1100)}\n" for _ in range(count)))


class Commands:
    """Makes the commands of steps. What a step refers to is what its station has at that moment."""

    def __init__(self, folder: Path, seed: int):
        self._folder, self._seed = folder, seed

    def command(self, step: Step, station: Station) -> list[str] | None:
        """Returns the words of the command of a step, or `None` if the station has nothing that it can refer to."""
        rolls, number, kind = step.rolls, step.number, step.kind
        if kind in ("import", "replay"):
            return self._recording(step)
        if kind in ("sync", "reprocess"):
            return ["sync", "now"] if kind == "sync" else ["reprocess"]
        if kind == "straps":
            return self._straps(step, station)
        sessions = station.query("SELECT id, start_us, strap, person FROM session ORDER BY start_us, id")
        if not sessions:
            return None
        session, start = chosen(sessions, rolls[0])[:2]
        match kind:
            case "label" | "note":
                return ["sessions", "edit", session, f"--{kind}", f"{kind} {number}" if rolls[1] < 0.85 else ""]
            case "person":
                return ["sessions", "edit", session, "--person", "Q" if rolls[1] < 0.4 else "P"]
            case "mark":
                return ["sessions", "mark", session, f"marker {number}", "--at", written(start + rolls[1] * 50e6)]
            case "unmark":
                markers = station.query(
                    "SELECT marker.id, session.id FROM marker JOIN session ON session.key = marker.session ORDER BY text, 1")
                if not markers:
                    return None
                marker, of_marker = chosen(markers, rolls[0])
                return ["sessions", "unmark", of_marker, marker]
            case "split":
                end = station.query("SELECT max(wall_us) FROM ledger WHERE session = (SELECT key FROM session WHERE id = ?)",
                                    session)[0][0] or start
                return ["sessions", "split", session, "--at", written(start + rolls[1] * (end - start))]
            case "merge":
                pairs = [(one, other) for place, one in enumerate(sessions) for other in sessions[place + 1:place + 3]
                         if one[2:] == other[2:]]
                return ["sessions", "merge", *(row[0] for row in chosen(pairs, rolls[0]))] if pairs else None
            case "delete":
                return ["delete", session, "--yes"]
            case "delete-person":
                return ["delete", "--person", "Q", "--yes"]
            case "delete-range":
                return ["delete", "--from", written(start), "--to", written(start + 7200e6), "--yes"]
        raise ValueError(kind)

    def _recording(self, step: Step) -> list[str]:
        """Writes the file of an import or a replay. No two of a trial have a notification of the same time and value."""
        rolls, number = step.rolls, step.number
        person, seed = ("Q" if rolls[2] < 0.2 else "P"), f"{self._seed}/{number}"
        if step.kind == "replay":
            path = self._folder / f"capture-{number}.btsnoop"
            shift = int(rolls[1] * 24) * 3600 + int(rolls[5] * 3) * 1000 + number / 1000
            write_capture(chosen(CAPTURES, rolls[0]), path, shift, seed)
            return ["replay", str(path), "--person", person]
        path = self._folder / f"intervals-{number}.txt"
        write_intervals(path, 40 + int(rolls[0] * 40), seed)
        start = START + int(rolls[1] * 24) * 3600 + int(rolls[3] * 30) * 100
        return ["import", str(path), "--start", written(start * 1e6), "--person", person]

    @staticmethod
    def _straps(step: Step, station: Station) -> list[str] | None:
        known = station.query("SELECT name FROM known_strap ORDER BY name")
        if not known:
            return None
        if step.rolls[0] < 0.5:
            return ["straps", "rename", known[0][0], f"strap {step.number}"]
        return ["straps", "assign", known[0][0], "--person", "P" if step.rolls[1] < 0.5 else "Q"]
