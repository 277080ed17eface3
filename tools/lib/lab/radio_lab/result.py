"""What became of a scenario; written by the guest, read by the host."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

FILE_NAME = "result.json"


@dataclass
class Versions:
    """The versions of a test. `revision`: of the tree, `binary`: the beginning of the program's SHA-256, `others`:
    Debian packages of other versions than in debian.txt."""

    kernel: str = ""
    bluez: str = ""
    tachogram: str = ""
    revision: str = ""
    binary: str = ""
    others: list[str] = field(default_factory=list)


@dataclass
class ScenarioResult:
    """A run of a scenario. `checks` is the number of expectations."""

    name: str
    is_short: bool
    passed: bool
    failures: list[str]
    checks: int = 0
    seconds: float = 0
    boot_seconds: float = 0
    versions: Versions = field(default_factory=Versions)
    recoveries: dict[str, list[float]] = field(default_factory=dict)
    sent: int = 0
    lost: int = 0
    doubled: int = 0
    figures: dict[str, float] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    folder: str | None = None

    def write(self, folder: Path) -> None:
        """Writes it into a folder atomically."""
        beside = folder / f"{FILE_NAME}.new"
        beside.write_text(json.dumps(asdict(self), indent=2) + "\n")
        beside.rename(folder / FILE_NAME)

    @staticmethod
    def from_object(data: dict[str, object]) -> "ScenarioResult":
        """Reads a result from an object."""
        versions = Versions(**data.pop("versions"))  # type: ignore[arg-type]
        return ScenarioResult(versions=versions, **data)  # type: ignore[arg-type]

    @staticmethod
    def read(folder: Path) -> "ScenarioResult | None":
        """Returns the result of a guest in a folder, or None."""
        try:
            return ScenarioResult.from_object(json.loads((folder / FILE_NAME).read_text()))
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return None
