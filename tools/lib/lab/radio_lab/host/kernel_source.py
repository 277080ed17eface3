"""The Debian package with the sources of the guest's kernel: which one it is, and fetching it."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from radio_lab.host.apt import Apt, kernel_version
from radio_lab.host.failure import LabFailure

# Whose packages debian.txt names.
KNOWN_CODENAME = "bookworm"


@dataclass(frozen=True)
class Distribution:
    """The distribution of this machine, with its names for programs and for people."""

    codename: str
    name: str

    @staticmethod
    def here() -> "Distribution":
        """Returns the distribution of this machine."""
        try:
            said = platform.freedesktop_os_release()
        except OSError:
            said = {}
        return Distribution(said.get("VERSION_CODENAME", ""), said.get("PRETTY_NAME", "this system"))


@dataclass(frozen=True)
class KernelSource:
    """A package. Without a version, any version of the archive."""

    package: str
    version: str = ""

    @property
    def text(self) -> str:
        """Returns the argument for apt-get."""
        return f"{self.package}={self.version}" if self.version else self.package

    def download(self, folder: Path, log: Path, apt: Apt) -> str:
        """Downloads the package into a folder without installing it. Returns its version."""
        if not _fetched(self.text, folder, log):
            apt.update()
            if not _fetched(self.text, folder, log):
                self._download_another(folder, log, apt)
        package = next(folder.glob(f"{self.package}_*.deb"))
        return package.name.split("_")[1].replace("%3a", ":")

    def _download_another(self, folder: Path, log: Path, apt: Apt) -> None:
        if self.version:
            apt.say(f"The archive does not have {self.text}; taking the version that it offers")
            if _fetched(self.package, folder, log):
                return
        raise LabFailure(
            f"apt-get cannot fetch {self.package}, the sources of the guest's kernel: is the archive of this "
            "distribution in /etc/apt, and can it be reached?"
        )


def choose_source(known: Mapping[str, str], here: Distribution, apt: Apt) -> KernelSource:
    """Returns the package that the lab was tested with. Other distributions have other kernels: there it is the next
    newer one, or the newest."""
    package = next(name for name in known if name.startswith("linux-source-"))
    if here.codename == KNOWN_CODENAME:
        return KernelSource(package, known[package])
    names = apt.kernel_sources()
    if not names:
        apt.update()
        names = apt.kernel_sources()
    if not names:
        raise LabFailure(
            f"the guest's kernel is built from a Debian package named as {package}, and {here.name} offers none "
            "(apt-cache search linux-source): run the lab on Debian 12, or in a container of it"
        )
    newer = [name for name in names if kernel_version(name) >= kernel_version(package)]
    return KernelSource(newer[0] if newer else names[-1])


def _fetched(wanted: str, folder: Path, log: Path) -> bool:
    # apt's own user may not write into a folder of ours; downloading as ourselves is all that is wanted.
    command = ["apt-get", "-o", "APT::Sandbox::User=root", "download", wanted]
    with log.open("a") as output:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
        )
    return done.returncode == 0
