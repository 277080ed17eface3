"""Where things are on the host."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from radio_lab.host.failure import LabFailure

ROOT = Path(__file__).resolve().parents[5]
LAB_TREE = ROOT / "tools/lib/lab"
KERNEL_CONFIG = LAB_TREE / "kernel.config"
DEBIAN_PACKAGES = LAB_TREE / "debian.txt"
SUMMARY = ROOT / ".build/radio-lab/results.json"


@dataclass(frozen=True)
class Ingredients:
    """All that a guest needs: the kernel, the Python of the straps, the binary under test. `others`: packages of other
    versions than the lab is known with."""

    kernel: Path
    strap_python: Path
    binary: Path
    others: tuple[str, ...] = ()


def built_binary(named: Path | None) -> Path:
    """The program under test: the one that is named, or the release build, made first if need be."""
    if named:
        if not named.is_file():
            raise LabFailure(f"there is no file {named}")
        return named.resolve()
    done = subprocess.run([ROOT / "tools/lib/release-binary"], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise LabFailure("tachogram could not be built")
    return Path(done.stdout.strip())
