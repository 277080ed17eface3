"""The files of the checkout and the violations that checks find in them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from swift_source import SwiftSource


@dataclass(frozen=True, order=True)
class Violation:
    """A violation of a rule, at a location that an editor can open."""

    path: str
    line: int
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.message}"


@dataclass
class Findings:
    """The number of examined files and the violations of a check."""

    name: str
    examined: int = 0
    violations: list[Violation] = field(default_factory=list)

    def add(self, path: str, line: int, rule: str, message: str) -> None:
        """Adds a violation."""
        self.violations.append(Violation(path, line, rule, message))


class Tree:
    """The checkout: tracked files, and untracked ones that are not ignored."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._sources: dict[str, SwiftSource] = {}

    @cached_property
    def tracked(self) -> list[str]:
        """Returns the tracked files."""
        return self._git("ls-files", "--cached")

    @cached_property
    def files(self) -> list[str]:
        """Returns the existing files that git tracks or would add."""
        listed = self._git("ls-files", "--cached", "--others", "--exclude-standard")
        return [path for path in sorted(set(listed)) if (self.root / path).is_file()]

    def under(self, *folders: str, suffix: str = "") -> list[str]:
        """Returns the files in these folders with one of these suffixes."""
        return [path for path in self.files if path.startswith(folders) and path.endswith(suffix)]

    def text(self, path: str) -> str:
        """Returns the text of a file."""
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def swift(self, path: str) -> SwiftSource:
        """Returns a Swift file, parsed once."""
        if path not in self._sources:
            self._sources[path] = SwiftSource.parse(self.text(path))
        return self._sources[path]

    def _git(self, *arguments: str) -> list[str]:
        command = ["git", "-C", str(self.root), *arguments, "-z"]
        output = subprocess.run(command, check=True, capture_output=True).stdout
        return [name for name in output.decode().split("\0") if name]
