"""The station that is made up (tachogram-mock-page), as a process of the checks."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class MockStation:
    """The mock station, with the addresses of its pages and the token."""

    process: subprocess.Popen[str]
    base: str
    locked: str
    token: str

    def mode(self, name: str) -> None:
        """Changes its mode."""
        assert self.process.stdin and self.process.stdout
        print(name, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().strip()
        if answer != f"mode {name}":
            raise SystemExit(f"page: the mock station answered {answer!r} to {name}")


@contextmanager
def mock_station() -> Iterator[MockStation]:
    """Runs the mock station; TACHOGRAM_MOCK_PAGE names an existing program."""
    binary = os.environ.get("TACHOGRAM_MOCK_PAGE")
    if not binary:
        built = subprocess.run(
            [ROOT / "tools/lib/release-binary", "tachogram-mock-page"], check=True, stdout=subprocess.PIPE, text=True)
        binary = built.stdout.strip()
    with subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        base = process.stdout.readline().strip()
        locked, token = process.stdout.readline().strip().removesuffix(")").split(" (token ")
        yield MockStation(process, base.rstrip("/"), locked.rstrip("/"), token)
        process.stdin.close()
        process.wait(timeout=10)
