"""A Debian package, opened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from package_checks.report import CheckUnavailable, run


@dataclass(frozen=True)
class PackedFile:
    """An entry: its mode as `ls` shows it, owner and group, the target of a link."""

    mode: str
    owner: str
    target: str | None


class Package:
    """A package, as reported by dpkg-deb, and its contents in a folder."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.folder = folder
        unpacked = run(["dpkg-deb", "--extract", path, folder])
        if unpacked.returncode != 0:
            raise CheckUnavailable(f"{path} is no Debian package: {unpacked.stderr.strip()}")

    def field(self, name: str) -> str:
        """Returns a field of the control file, or an empty text."""
        return run(["dpkg-deb", "--field", self.path, name]).stdout.strip()

    @cached_property
    def architecture(self) -> str:
        """The architecture in Debian's terms: amd64, arm64."""
        return self.field("Architecture")

    @cached_property
    def dependencies(self) -> set[str]:
        """The names of its dependencies, alternatives separately."""
        return set(re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]+)", self.field("Depends")))

    def control_file(self, name: str) -> str:
        """Returns the text of a control file such as `conffiles`, or an empty text."""
        return run(["dpkg-deb", "--info", self.path, name]).stdout

    @cached_property
    def entries(self) -> dict[str, PackedFile]:
        """The entries by path, folders with a slash at the end."""
        entries = {}
        for line in run(["dpkg-deb", "--contents", self.path]).stdout.splitlines():
            mode, owner, _, _, _, name = line.split(maxsplit=5)
            name, _, target = name.partition(" -> ")
            entries[name.removeprefix(".")] = PackedFile(mode, owner, target or None)
        return entries
