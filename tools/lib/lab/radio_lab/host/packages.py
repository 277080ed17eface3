"""The Debian packages that the lab needs: installed when they are missing, and only then, in the versions of debian.txt
as long as the archive has them."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from radio_lab.host.apt import Apt
from radio_lab.host.failure import LabFailure

# What tells that a package is there, however it was installed: a command of it.
RUNNING = {"bluetoothctl": "bluez", "dbus-daemon": "dbus", "gdbus": "libglib2.0-bin", "tshark": "tshark",
           "ip": "iproute2", "mkfs.ext4": "e2fsprogs"}
BUILDING = {"flex": "flex", "bison": "bison", "bc": "bc", "xz": "xz-utils", "make": "make", "gcc": "gcc",
            "dpkg": "dpkg", "strip": "binutils"}
SYSTEM_FOLDERS = ":/usr/sbin:/sbin"


def read_versions(file: Path) -> dict[str, str]:
    """Returns the packages that the lab was tested with, and their versions."""
    lines = [line.split() for line in file.read_text().splitlines() if line and not line.startswith("#")]
    return {name: version for name, version in lines}


def require_packages(needs_kernel: bool, known: Mapping[str, str], apt: Apt) -> None:
    """Installs missing packages with a message. `needs_kernel` is whether the kernel has to be built."""
    missing = _missing(needs_kernel)
    if not missing:
        return
    names = " ".join(missing)
    if not apt.is_there:
        raise LabFailure(f"missing: {names}. Install them with the package manager (the names are Debian's).")
    apt.say(f"Missing: {names}.")
    wanted = _known_if_offered(missing, known, apt)
    if not apt.may_install:
        raise LabFailure(f"Run as root: apt-get install --no-install-recommends {' '.join(wanted)}")
    problem = apt.install(wanted)
    if problem:
        apt.update()
        problem = apt.install(wanted)
    if problem and wanted != missing:
        apt.say("The versions that the lab is known with cannot be installed here; taking those that can")
        problem = apt.install(missing)
    if problem:
        raise LabFailure(f"apt-get could not install {names}:\n{problem}")


def other_versions(known: Mapping[str, str], kernel: str, apt: Apt) -> list[str]:
    """Returns the packages in the guest, its disk or its kernel (`kernel`: package and version) whose versions differ
    from the tested ones, and reports them in a line."""
    names = sorted(set(RUNNING.values()) & set(known))
    installed = apt.installed(names)
    here = [f"{name} {installed.get(name, 'of no package')}" for name in names]
    others = [text for text in here if text not in _texts(known)]
    others += [kernel] if kernel and kernel not in _texts(known) else []
    if others:
        apt.say(f"Not the packages that the lab is known with (tools/lib/lab/debian.txt), but {', '.join(others)}")
    return others


def _texts(known: Mapping[str, str]) -> list[str]:
    return [f"{name} {version}" for name, version in known.items()]


def _missing(needs_kernel: bool) -> list[str]:
    wanted = {**RUNNING, **(BUILDING if needs_kernel else {})}
    path = os.environ.get("PATH", "") + SYSTEM_FOLDERS
    missing = sorted(package for command, package in wanted.items() if not shutil.which(command, path=path))
    # The compiler does without only where nothing is linked.
    if needs_kernel and not Path("/usr/include/stdio.h").exists():
        missing.append("libc6-dev")
    if not importlib.util.find_spec("ensurepip"):
        missing.append("python3-venv")
    return missing


def _known_if_offered(names: Sequence[str], known: Mapping[str, str], apt: Apt) -> list[str]:
    """Returns each package with its tested version as `name=version`; without one if the archive has other versions
    only."""
    offered = {name: apt.offered(name) for name in names}
    if any(known.get(name) not in [None, *offered[name]] or not offered[name] for name in names):
        apt.update()
        offered = {name: apt.offered(name) for name in names}
    others = [name for name in names if name in known and known[name] not in offered[name]]
    if others:
        pairs = ", ".join(f"{name} {known[name]} (but {', '.join(offered[name]) or 'none'})" for name in others)
        apt.say(f"The archive does not have {pairs}; taking what it has")
    return [f"{name}={known[name]}" if name in known and name not in others else name for name in names]
