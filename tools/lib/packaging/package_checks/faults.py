"""Packages that are broken in known ways: a trial that passes one of them is no trial."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from package_checks.installed import PROGRAM, STATE, USER
from package_checks.package import Package
from package_checks.report import CheckUnavailable, run

REAL_PROGRAM = f"/usr/libexec/{USER}"
# Another first byte before each replay, and a station that does not hear SIGTERM.
WRAPPER = f"""#!/bin/sh
case $1 in
  replay) echo ;;
  station)
    trap '' TERM
    {REAL_PROGRAM} "$@"
    while :; do sleep 1; done
    ;;
esac
exec {REAL_PROGRAM} "$@"
"""


@dataclass(frozen=True)
class Fault:
    """Changes of an unpacked package, and what its trial has to find: parts of its failures."""

    name: str
    changes: tuple[Callable[[Path], None], ...]
    findings: tuple[str, ...]

    def broken(self, package: Package, folder: Path) -> Package:
        """Returns a package with the fault. `folder` is for its files."""
        unpacked, path = folder / "unpacked", folder / package.path.name
        _expect(["dpkg-deb", "--raw-extract", package.path, unpacked])
        for change in self.changes:
            change(unpacked)
        _expect(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", unpacked, path])
        return Package(path, folder / "contents")


def _expect(command: list[str | Path]) -> None:
    done = run(command)
    if done.returncode != 0:
        raise CheckUnavailable(f"the package cannot be packed again: {done.stderr.strip()}")


def _depend_on_nothing(folder: Path) -> None:
    _replace(folder / "DEBIAN/control", rb"^Depends: ", b"Depends: libtachogram-none, ")


def _forget_a_dependency(folder: Path) -> None:
    _replace(folder / "DEBIAN/control", rb", libqrencode4[^,\n]*", b"")


def _forget_what_is_loaded_later(folder: Path) -> None:
    _replace(folder / "DEBIAN/control", rb", libcurl4t64 [|] libcurl4", b"")


def _name_no_library(folder: Path) -> None:
    _replace(folder / PROGRAM.lstrip("/"), rb"\0libqrencode\.so\.4\0", b"\0libqrencode.so.9\0")


def _misbehave(folder: Path) -> None:
    real = folder / REAL_PROGRAM.lstrip("/")
    real.parent.mkdir(parents=True, exist_ok=True)
    program = folder / PROGRAM.lstrip("/")
    program.rename(real)
    program.write_text(WRAPPER)
    program.chmod(0o755)


def _keep_recordings(folder: Path) -> None:
    (folder / "DEBIAN/postrm").write_text("#!/bin/sh\nexit 0\n")


def _replace(path: Path, pattern: bytes, new: bytes) -> None:
    contents, count = re.subn(pattern, lambda _: new, path.read_bytes(), flags=re.MULTILINE)
    if count != 1:
        raise CheckUnavailable(f"{path.name} of the package has {pattern!r} {count} times, not once")
    path.write_bytes(contents)


FAULTS = (
    Fault("a dependency that no release has", (_depend_on_nothing,), ("apt-get install fails", "libtachogram-none")),
    Fault("a dependency that is not named", (_forget_a_dependency,), ("--version ends with 127", "libqrencode.so.4")),
    Fault("a library that no release has", (_name_no_library,), ("--version ends with 127", "libqrencode.so.9")),
    Fault("other bytes, and deaf to SIGTERM", (_misbehave,),
          ("replaying rest: not the expected output", "the station still runs")),
    Fault("no libcurl for alerts, and recordings left", (_forget_what_is_loaded_later, _keep_recordings),
          ("the alert", "without a word", f"{STATE}/tachogram.sqlite")),
)
