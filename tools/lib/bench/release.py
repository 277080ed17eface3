"""The programs that are measured: executables of the release build."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Where the virtual environments of what is measured against are made.
ENVIRONMENTS = ROOT / ".build/environments"


def release_binary(product: str) -> str:
    """Builds an executable in release mode. Returns its path."""
    done = subprocess.run([ROOT / "tools/lib/release-binary", product], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()
