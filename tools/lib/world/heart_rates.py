"""Heart Rate Measurement notifications as other programs, and this file's own reading of the bytes, see them."""

from __future__ import annotations

import csv
import subprocess
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

PREFIX = "btatt.heart_rate_measurement"
FIELDS = ("frame.time_epoch", f"{PREFIX}.flags", f"{PREFIX}.value.8", f"{PREFIX}.value.16",
          f"{PREFIX}.energy_expended", f"{PREFIX}.rr_interval")


@dataclass(frozen=True)
class HeartRate:
    """A notification. Its time is compared to a millisecond, the rest exactly."""

    epoch: float
    flags: int
    heart_rate: int
    energy: int | None
    rr1024: tuple[int, ...]

    def same_values(self, other: HeartRate) -> bool:
        """Returns whether everything but the time is equal."""
        mine = (self.flags, self.heart_rate, self.energy, self.rr1024)
        return mine == (other.flags, other.heart_rate, other.energy, other.rr1024)


def from_tshark(capture: Path) -> list[HeartRate]:
    """Returns the notifications that tshark finds in a capture; an incomplete file is not an error here."""
    command = ["tshark", "-r", str(capture), "-Y", f"{PREFIX}.flags", "-T", "fields", "-E", "occurrence=a"]
    for name in FIELDS:
        command += ["-e", name]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    found = []
    for line in done.stdout.splitlines():
        epoch, flags, short, long, energy, intervals = line.split("\t")
        found.append(HeartRate(
            float(epoch), int(flags, 16), int(short or long), int(energy) if energy else None,
            tuple(int(value) for value in intervals.split(",") if value),
        ))
    return found


def from_table(table: Path) -> list[HeartRate]:
    """Returns the rows with heart rates of a reference table."""
    with table.open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream, delimiter="\t") if row["hrm_flags"]]
    return [
        HeartRate(float(row["epoch"]), int(row["hrm_flags"], 16), int(row["hrm_hr8"]), None,
                  tuple(int(value) for value in row["hrm_rr_1024"].split(",") if value))
        for row in rows
    ]


def from_line(line: dict[str, Any]) -> HeartRate:
    """Returns a notification line of tachogram. Raises ValueError if its fields contradict its bytes."""
    data = bytes.fromhex(line["value"])
    flags, rest = data[0], data[1:]
    heart_rate, rest = (_u16(rest), rest[2:]) if flags & 1 else (rest[0], rest[1:])
    energy = None
    if flags & 8:
        energy, rest = _u16(rest), rest[2:]
    intervals = tuple(_u16(rest[at : at + 2]) for at in range(0, len(rest), 2)) if flags & 16 else ()
    decoded = (line["heartRate"], line.get("energyExpendedKJ"), tuple(line.get("rr1024", ())))
    if decoded != (heart_rate, energy, intervals):
        raise ValueError(f"the bytes {line['value']} say {(heart_rate, energy, intervals)}, the fields say {decoded}")
    return HeartRate(_epoch(line["time"]), flags, heart_rate, energy, intervals)


def is_subsequence(part: list[HeartRate], whole: list[HeartRate]) -> bool:
    """Returns whether all of `part` occurs in `whole` in this order."""
    remaining = iter(whole)
    return all(any(one.same_values(other) for other in remaining) for one in part)


def _u16(data: bytes) -> int:
    if len(data) < 2:
        raise ValueError("a field is cut")
    return int.from_bytes(data[:2], "little")


def _epoch(text: str) -> float:
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
