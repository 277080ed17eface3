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
    """The inputs of a guest: the kernel, the Python of the straps, the binary under test. `others` are packages of
    other versions than the tested ones. `bluetoothd` is the command of another daemon than this machine's, `bluez` the
    version of the daemon."""

    kernel: Path
    strap_python: Path
    binary: Path
    others: tuple[str, ...] = ()
    bluetoothd: tuple[str, ...] = ()
    bluez: str = ""


def built_binary(named: Path | None) -> Path:
    """Returns the program under test: the named one, or the release build, which is built if necessary."""
    if named:
        if not named.is_file():
            raise LabFailure(f"there is no file {named}")
        return named.resolve()
    done = subprocess.run([ROOT / "tools/lib/release-binary"], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise LabFailure("tachogram could not be built")
    return Path(done.stdout.strip())
