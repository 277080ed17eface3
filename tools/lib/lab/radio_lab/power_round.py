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
    """Which boot this is. The last one examines, and ends by itself."""

    number: int
    is_last: bool

    def write(self, folder: Path) -> None:
        """Told by the host before the boot; the folder of the round is made with it."""
        (folder / f"round-{self.number}").mkdir()
        (folder / ROUND).write_text(json.dumps(asdict(self)))

    @staticmethod
    def read(folder: Path) -> "PowerRound":
        """Read by the guest."""
        return PowerRound(**json.loads((folder / ROUND).read_text()))


@dataclass
class RoundReport:
    """What was found on the disk after a cut. `kept` is how many notifications of the boot before the cut there are,
    `lost_seconds` what of the time before the cut is missing."""

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
        """One more thing that was looked at."""
        self.checks += 1
        if not holds:
            self.failures.append(failure)

    def write(self, folder: Path) -> None:
        """Told by the guest, on the host's disk before the next cut."""
        with (folder / REPORT).open("w") as file:
            json.dump(asdict(self), file)
            file.flush()
            os.fsync(file.fileno())

    @staticmethod
    def read(folder: Path) -> "RoundReport | None":
        """Read by the host; nothing when the guest did not come so far."""
        try:
            return RoundReport(**json.loads((folder / REPORT).read_text()))
        except (FileNotFoundError, ValueError):
            return None
