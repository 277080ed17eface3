"""Programs of another architecture, which the kernel runs with qemu (binfmt_misc)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from package_checks.debian_system import native_architecture
from package_checks.mounts import mounted
from package_checks.report import CheckUnavailable

BINFMT = Path("/proc/sys/fs/binfmt_misc")
# The package with the emulators. Where systemd runs, it also registers them.
EMULATORS = "qemu-user-static"
FORMATS = {"arm64": Path("/usr/lib/binfmt.d/qemu-aarch64.conf")}


@contextmanager
def runnable(architecture: str) -> Iterator[None]:
    """Lets the kernel run programs of an architecture in any root. A format that it registers is removed afterwards."""
    if architecture == native_architecture():
        yield
        return
    file = FORMATS.get(architecture)
    if file is None or not file.exists():
        raise CheckUnavailable(f"programs for {architecture} cannot be run here: {EMULATORS} has no emulator")
    with ExitStack() as stack:
        if not (BINFMT / "register").exists():
            stack.enter_context(mounted("binfmt_misc", BINFMT, "-t", "binfmt_misc"))
        line = file.read_text(encoding="ascii").strip()
        if not any(serves(entry.read_text(), line) for entry in BINFMT.iterdir() if _is_format(entry)):
            name = f"tachogram-{os.getpid()}"
            stack.callback(_forget, BINFMT / name)
            _register(renamed(line, name))
        yield


def renamed(line: str, name: str) -> str:
    """Returns a line of binfmt.d(5) with another name of the format."""
    return ":".join(["", name, *line.split(":")[2:]])


def serves(entry: str, line: str) -> bool:
    """Returns whether a format of the kernel is that of a line, and its interpreter is found from inside any root."""
    magic = line.split(":")[4].encode("ascii").decode("unicode_escape").encode("latin-1").hex()
    fields = dict(part.partition(" ")[::2] for part in entry.splitlines())
    return "enabled" in fields and fields.get("magic") == magic and "F" in fields.get("flags:", "")


def _is_format(entry: Path) -> bool:
    return entry.name not in ("register", "status")


def _register(line: str) -> None:
    try:
        (BINFMT / "register").write_text(line)
    except OSError as error:
        raise CheckUnavailable(f"the kernel takes no emulator (binfmt_misc): {error.strerror}") from None


def _forget(entry: Path) -> None:
    if entry.exists():
        entry.write_text("-1")
