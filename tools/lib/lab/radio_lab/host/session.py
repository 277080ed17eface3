"""The processes of a guest: a session of their own, which ends when the lab does, however that ends.

`session.py DESCRIPTOR COMMAND …` is the first process of the session and runs the command in it. The descriptor is
the reading end of a pipe that nobody writes to and whose other end the lab alone holds: when the lab is gone, also by
SIGKILL, the pipe is at its end, and everything in the session is killed.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

# A killed process is gone at once, unless the host's disk hangs.
KILL_SECONDS = 20


def members(session: int) -> list[int]:
    """Returns the running processes of a session: user-mode Linux starts one for each program of the guest."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def end(session: int, spared: int | None = None) -> None:
    """Kills all processes of a session but one, repeatedly, because they may be starting others."""
    over = time.monotonic() + KILL_SECONDS
    while (living := set(members(session)) - {spared}) and time.monotonic() < over:
        for process in living:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)


def main() -> int:
    """Runs the command until it ends, or until the lab has ended."""
    lab = int(sys.argv[1])
    # A process group of its own: a kernel that panics ends its group.
    guest = subprocess.Popen(sys.argv[2:], preexec_fn=os.setpgrp)
    ended, _, _ = select.select([lab, os.pidfd_open(guest.pid)], [], [])
    if lab in ended:
        end(os.getsid(0), spared=os.getpid())
    return guest.wait()


if __name__ == "__main__":
    sys.exit(main())
