"""Mounted file systems that go with what needed them."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from package_checks.report import CheckUnavailable, run

# CLONE_NEWNS of sched.h.
NEW_MOUNTS = 0x00020000
# Ends a command with the process that started it, however that ends.
MORTAL = ("setpriv", "--pdeathsig", "KILL", "--")
# Runs a command as the first process of a namespace: if it is given up, all that it started ends with it.
ENCLOSED = (*MORTAL, "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")


def keep_mounts_private() -> None:
    """Gives this process mounts of its own: however it ends, the kernel unmounts what it has mounted."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(NEW_MOUNTS) != 0:
        raise CheckUnavailable(f"mounting needs a namespace of its own: {os.strerror(ctypes.get_errno())}")
    made = run(["mount", "--make-rprivate", "/"])
    if made.returncode != 0:
        raise CheckUnavailable(f"mounts cannot be kept from the rest of this machine: {made.stderr.strip()}")


@contextmanager
def mounted(what: str | Path, where: Path, *options: str) -> Iterator[None]:
    """Mounts `what` at `where`, which is created if it is to be bound there and is missing."""
    if "--bind" in options and not where.exists():
        where.touch()
    done = run(["mount", *options, what, where])
    if done.returncode != 0:
        raise CheckUnavailable(f"{where} cannot be mounted: {done.stderr.strip()}")
    try:
        yield
    finally:
        # A process that has not ended yet may still use it.
        if run(["umount", where]).returncode != 0:
            run(["umount", "--lazy", where])
