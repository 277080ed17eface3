"""A file system of its own whose device counts what is written to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

INSIDE = "TACHOGRAM_LOOP_DISK"
SECTOR = 512
# Fields of /sys/block/…/stat, counted from 0 (Documentation/block/stat.rst of Linux).
SECTORS_WRITTEN, FLUSHES = 6, 15


@dataclass(frozen=True)
class Counters:
    """The bytes written so far, and the number of cache flushes; `None` if they are not counted."""

    written: int
    flushes: int | None

    def since(self, earlier: Counters) -> Counters:
        """Returns the difference to an earlier value."""
        both = self.flushes is not None and earlier.flushes is not None
        return Counters(self.written - earlier.written, self.flushes - earlier.flushes if both else None)


@dataclass(frozen=True)
class LoopDisk:
    """An ext4 file system in a file, which exists within `loop_disk`."""

    folder: Path
    device: str

    def counters(self) -> Counters:
        """Returns the counters of the device."""
        fields = [int(word) for word in Path(f"/sys/block/{self.device}/stat").read_text().split()]
        return Counters(fields[SECTORS_WRITTEN] * SECTOR, fields[FLUSHES] if len(fields) > FLUSHES else None)

    def sync(self) -> None:
        """Writes the cached data of this file system."""
        subprocess.run(["sync", "--file-system", self.folder], check=True)


def is_possible() -> bool:
    """Returns whether this user and machine can create one."""
    tools = all(map(shutil.which, ("losetup", "mkfs.ext4", "mount", "unshare")))
    return os.geteuid() == 0 and tools and Path("/dev/loop-control").exists()


def in_private_mounts() -> bool:
    """Returns whether this program has a private mount namespace."""
    return INSIDE in os.environ


def run_in_private_mounts() -> int:
    """Runs this program again in a private mount namespace, whose mounts end with its last process. Returns its exit
    code."""
    command = ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv]
    return subprocess.run(command, env={**os.environ, INSIDE: "1"}).returncode


@contextmanager
def loop_disk(folder: Path, options: str = "defaults", megabytes: int = 256) -> Iterator[LoopDisk]:
    """Mounts a file system on a folder, with the block size of a large one. The device is removed with its mount."""
    image = folder.with_suffix(".img")
    folder.mkdir()
    with image.open("wb") as file:
        # Whole, so that the file system below has nothing to allocate.
        os.posix_fallocate(file.fileno(), 0, megabytes << 20)
    eager = "lazy_itable_init=0,lazy_journal_init=0"
    subprocess.run(["mkfs.ext4", "-q", "-F", "-b", "4096", "-E", eager, image], check=True)
    done = subprocess.run(["losetup", "--find", "--show", image], check=True, stdout=subprocess.PIPE, text=True)
    device = done.stdout.strip()
    try:
        subprocess.run(["mount", "-o", options, device, folder], check=True)
    finally:
        # As long as it is mounted it stays.
        subprocess.run(["losetup", "--detach", device], check=True)
    try:
        yield LoopDisk(folder, Path(device).name)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        image.unlink()
