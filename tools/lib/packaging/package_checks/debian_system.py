"""A release of Debian for an architecture, and its minimal system, which is fetched once."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from package_checks.mounts import ENCLOSED
from package_checks.report import CheckUnavailable, progress, run

MIRROR = "http://deb.debian.org/debian"
TITLES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
# Services must not start when a package is installed: what would run is this machine's, not the folder's.
NO_SERVICES = "#!/bin/sh\nexit 101\n"
# Descriptions are not needed, and there is no terminal for a log.
APT_SETTINGS = """Acquire::Languages "none";
Dpkg::Use-Pty "false";
"""


@dataclass(frozen=True)
class DebianSystem:
    """A release and an architecture in Debian's terms: bookworm, arm64."""

    suite: str
    architecture: str

    @staticmethod
    def for_this_machine(suite: str) -> DebianSystem:
        """Returns a release for the architecture of this machine."""
        return DebianSystem(suite, native_architecture())

    @property
    def title(self) -> str:
        """The name that people know, with the architecture if it is not that of this machine."""
        name = TITLES.get(self.suite, f"Debian {self.suite}")
        return name if self.architecture == native_architecture() else f"{name} {self.architecture}"

    @property
    def archives(self) -> Path:
        """The folder of downloaded packages, which all systems of this kind use."""
        return _cache() / f"{self.suite}-{self.architecture}.archives"

    def kept_root(self) -> Path:
        """Returns the minimal system; an existing folder is complete. Programs of its architecture must run here."""
        kept = _cache() / f"{self.suite}-{self.architecture}"
        (self.archives / "partial").mkdir(parents=True, exist_ok=True)
        with exclusive(Path(f"{kept}.lock")):
            if not kept.exists():
                with progress(f"Fetching a minimal {self.title} into {kept} (once)"):
                    self._fetch(kept)
        return kept

    def _fetch(self, kept: Path) -> None:
        unfinished = Path(tempfile.mkdtemp(prefix=f"{kept.name}.", dir=kept.parent))
        try:
            made = run([*ENCLOSED, "debootstrap", f"--arch={self.architecture}", "--force-check-gpg",
                        "--variant=minbase", self.suite, unfinished, MIRROR])
            if made.returncode != 0:
                raise CheckUnavailable(f"debootstrap of {self.title} failed:\n{made.stdout[-2000:]}{made.stderr}")
            _prepare(unfinished)
            unfinished.rename(kept)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise


def _prepare(folder: Path) -> None:
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    (folder / "usr/sbin/policy-rc.d").write_text(NO_SERVICES)
    (folder / "usr/sbin/policy-rc.d").chmod(0o755)
    (folder / "etc/apt/apt.conf.d/90minimal").write_text(APT_SETTINGS)
    # What apt makes of the lists takes most of its time where it is emulated.
    run(["chroot", folder, "apt-cache", "gencaches"])
    folder.chmod(0o755)


@contextmanager
def exclusive(lock: Path) -> Iterator[None]:
    """Waits until no other process holds a lock, and holds it."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def native_architecture() -> str:
    """Returns the architecture of this machine in Debian's terms."""
    return run(["dpkg", "--print-architecture"]).stdout.strip()


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "tachogram" / "package"
