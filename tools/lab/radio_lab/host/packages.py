"""The Debian packages that the lab needs; installed when they are missing, and only then."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from radio_lab.host.failure import LabFailure

# What tells that a package is there, however it was installed: a command of it.
RUNNING = {"bluetoothctl": "bluez", "dbus-daemon": "dbus", "gdbus": "libglib2.0-bin", "tshark": "tshark",
           "ip": "iproute2", "mkfs.ext4": "e2fsprogs"}
BUILDING = {"flex": "flex", "bison": "bison", "bc": "bc", "xz": "xz-utils", "make": "make", "gcc": "gcc",
            "dpkg": "dpkg", "strip": "binutils"}
SYSTEM_FOLDERS = ":/usr/sbin:/sbin"


def require_packages(needs_kernel: bool, say: Callable[[str], None]) -> None:
    """Installs what is missing, after saying so. `needs_kernel`: the kernel is still to be built."""
    wanted = {**RUNNING, **(BUILDING if needs_kernel else {})}
    path = os.environ.get("PATH", "") + SYSTEM_FOLDERS
    missing = sorted(package for command, package in wanted.items() if not shutil.which(command, path=path))
    # The compiler does without only where nothing is linked.
    if needs_kernel and not Path("/usr/include/stdio.h").exists():
        missing.append("libc6-dev")
    if not importlib.util.find_spec("ensurepip"):
        missing.append("python3-venv")
    if not missing:
        return
    names = " ".join(missing)
    if not shutil.which("apt-get"):
        raise LabFailure(f"missing: {names}. Install them with the package manager (the names are Debian's).")
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    if as_root and not shutil.which("sudo"):
        raise LabFailure(f"missing: {names}. Run as root: apt-get install --no-install-recommends {names}")
    apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", "-q"]
    install = [*apt, "install", "--no-install-recommends", *missing]
    say(f"Missing: {names}. Running: {' '.join([*as_root, 'apt-get install --no-install-recommends', names])}")
    if _quietly(install) is None:
        return
    # The package lists of a fresh container are empty and those of an old one stale.
    _quietly([*apt, "update"])
    problem = _quietly(install)
    if problem is not None:
        raise LabFailure(f"apt-get could not install {names}:\n{problem}")


def _quietly(command: list[str]) -> str | None:
    """Runs a command; returns what it said when it failed."""
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return None if done.returncode == 0 else done.stdout + done.stderr
