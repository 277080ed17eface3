"""What host and guest tell each other about the boots of a series of power cuts, as files in the shared folder."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

REPORT = "report.json"
ROUND = "round.json"
FAILURE = "failure.txt"


@dataclass(frozen=True)
class PowerRound:
    """The number of a boot. The last one examines the disk, and ends by itself."""

    number: int
    is_last: bool

    def write(self, folder: Path) -> None:
        """Written by the host before the boot, with the folder of the round."""
        (folder / f"round-{self.number}").mkdir()
        (folder / ROUND).write_text(json.dumps(asdict(self)))

    @staticmethod
    def read(folder: Path) -> "PowerRound":
        """Read by the guest."""
        return PowerRound(**json.loads((folder / ROUND).read_text()))


@dataclass
class RoundReport:
    """The findings on the disk after a cut. `kept` is the number of stored notifications of the boot before the cut,
    `lost_seconds` the missing time before the cut."""

    failures: list[str] = field(default_factory=list)
    checks: int = 0
    stored: int = 0
    kept: int = 0
    acknowledged: int = 0
    acknowledged_lost: int = 0
    lost_seconds: float = 0
    sessions: int = 0
    gaps: int = 0
    is_intact: bool = False

    def check(self, holds: bool, failure: str) -> None:
        """Counts a check."""
        self.checks += 1
        if not holds:
            self.failures.append(failure)

    def write(self, folder: Path) -> None:
        """Written by the guest, on the host's disk before the next cut."""
        with (folder / REPORT).open("w") as file:
            json.dump(asdict(self), file)
            file.flush()
            os.fsync(file.fileno())

    @staticmethod
    def read(folder: Path) -> "RoundReport | None":
        """Read by the host; None if the guest did not write it."""
        try:
            return RoundReport(**json.loads((folder / REPORT).read_text()))
        except (FileNotFoundError, ValueError):
            return None
