"""Debian's package tools: what is installed, what the archive offers, and installing it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence

# Another run of it, as those that a system starts by itself after booting, is waited for.
LOCKED = ("-o", "DPkg::Lock::Timeout=300")
KERNEL_SOURCES = r"^linux-source-[0-9]+\.[0-9]+$"


class Apt:
    """The package manager of this machine. `say` reports actions as root."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self._is_updated = False

    @property
    def is_there(self) -> bool:
        """Returns whether packages can be installed."""
        return shutil.which("apt-get") is not None

    @property
    def may_install(self) -> bool:
        """Returns whether this user is root or may become it."""
        return os.geteuid() == 0 or shutil.which("sudo") is not None

    def installed(self, names: Iterable[str]) -> dict[str, str]:
        """Returns the versions of the installed ones of these packages."""
        if not shutil.which("dpkg-query"):
            return {}
        said = _run(["dpkg-query", "-W", "-f", "${Package} ${Version} ${db:Status-Status}\n", *names])
        lines = [line.split() for line in said.stdout.splitlines()]
        return {line[0]: line[1] for line in lines if line[2:] == ["installed"]}

    def offered(self, name: str) -> list[str]:
        """Returns the versions of a package in the archive, by the package lists."""
        fields = [line.split("|") for line in _run(["apt-cache", "madison", name]).stdout.splitlines()]
        return [field[1].strip() for field in fields if len(field) == 3 and field[0].strip() == name]

    def kernel_sources(self) -> list[str]:
        """Returns the packages with kernel sources, the oldest kernel first."""
        if not shutil.which("apt-cache"):
            return []
        said = _run(["apt-cache", "search", "--names-only", KERNEL_SOURCES])
        names = [line.split()[0] for line in said.stdout.splitlines() if line]
        return sorted((name for name in names if re.match(KERNEL_SOURCES, name)), key=kernel_version)

    def update(self) -> None:
        """Updates the package lists, once: those of a fresh container are empty and those of an old one outdated."""
        if self._is_updated or not (self.is_there and self.may_install):
            return
        self._is_updated = True
        self.say(f"Running: {' '.join([*_as_root(), 'apt-get update'])}")
        _run([*_as_root(), "apt-get", "-q", *LOCKED, "update"])

    def install(self, packages: Sequence[str]) -> str | None:
        """Installs packages, each as `name` or `name=version`. Returns the output of a failure."""
        words = ["apt-get", "install", "--no-install-recommends", *packages]
        self.say(f"Running: {' '.join([*_as_root(), *words])}")
        done = _run([*_as_root(), "env", "DEBIAN_FRONTEND=noninteractive", words[0], "-y", "-q", *LOCKED, *words[1:]])
        return done.stdout + done.stderr if done.returncode else None


def kernel_version(package: str) -> tuple[int, ...]:
    """Returns the version of the kernel sources in a package: `linux-source-6.1` before `linux-source-6.12`."""
    return tuple(int(part) for part in package.rpartition("-")[2].split("."))


def _as_root() -> list[str]:
    return [] if os.geteuid() == 0 else ["sudo"]


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    # What the tools say does not depend on the language of who runs the lab.
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment, check=False
    )
