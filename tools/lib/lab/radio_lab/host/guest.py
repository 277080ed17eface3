"""One guest: a user-mode Linux that boots, does its job and always ends."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from radio_lab.host import session

GUEST_INIT = Path(__file__).resolve().parents[1] / "guest/init"


@dataclass(frozen=True)
class GuestMachine:
    """The parts of a guest. `disk` is an image that the guest has as /dev/ubda."""

    kernel: Path
    megabytes: int = 512
    disk: Path | None = None
    verbose: bool = False


@dataclass(eq=False)
class Guest:
    """A guest and the folder that it shares with the host, whose path must not contain blanks."""

    machine: GuestMachine
    folder: Path
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    # The end of a pipe that only this process has: the guest ends when it is closed.
    _leash: int = field(default=-1, repr=False)
    _ending: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def write_job(self, arguments: Sequence[str], has_terminal: bool = False) -> None:
        """Writes the command of the guest: this Python with these arguments, on its console or into a log."""
        command = shlex.join([os.path.realpath(sys.executable), *arguments])
        output = "" if has_terminal else " >/run/out/job.log 2>&1"
        (self.folder / "job.sh").write_text(f"export PYTHONPATH=/run/out/lab\n{command}{output}\n")
        shutil.copyfile(GUEST_INIT, self.folder / "init")
        (self.folder / "init").chmod(0o755)

    def start(self, has_terminal: bool = False) -> None:
        """Boots. The guest has its own session: Ctrl-C applies to the lab, which then ends its guests. With a
        terminal the guest's console is this one."""
        sockets = self.folder / "uml"
        sockets.mkdir(exist_ok=True)
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else str(self.folder)
        with (self.folder / "console.log").open("ab") as console:
            self._process = self._run_watched(
                ["nice", "-n", "5", *(str(word) for word in self._command(sockets, has_terminal))],
                stdin=None if has_terminal else subprocess.DEVNULL, stdout=None if has_terminal else console,
                stderr=None if has_terminal else console, env={**os.environ, "TMPDIR": memory},
            )

    def _run_watched(self, command: list[str], **options: Any) -> "subprocess.Popen[bytes]":
        """Runs a command in a session that ends with this process."""
        theirs, self._leash = os.pipe()
        try:
            return subprocess.Popen(
                [sys.executable, "-I", session.__file__, str(theirs), *command], start_new_session=True,
                pass_fds=(theirs,), **options,
            )
        finally:
            os.close(theirs)

    def _command(self, sockets: Path, has_terminal: bool) -> list[str | Path]:
        command: list[str | Path] = [
            self.machine.kernel, f"mem={self.machine.megabytes}M",
            "root=none", "rootfstype=hostfs", "rootflags=/", "ro",
            f"init={self.folder}/init", f"lab.run={self.folder}", f"umid=guest{os.getpid()}-{self.folder.name}",
            f"uml_dir={sockets}/", "con=null", f"con0={'fd:0' if has_terminal else 'null'},fd:1",
            "ssl=null", "random.trust_cpu=on",
        ]
        if self.machine.disk:
            command.append(f"ubd0={self.machine.disk}")
        return command if self.machine.verbose else [*command, "quiet", "loglevel=3"]

    @property
    def is_running(self) -> bool:
        """Returns whether it is running."""
        return self._process is not None and self._process.poll() is None

    def wait(self, seconds: float | None) -> bool:
        """Waits for its end, or kills it after a time limit. Returns whether it ended in time."""
        process = self._process
        try:
            if process:
                process.wait(timeout=seconds)
            return True
        except subprocess.TimeoutExpired:
            return False
        finally:
            self.kill()

    def kill(self) -> None:
        """Kills all of its processes at once, like a power cut."""
        with self._ending:
            process = self._process
            if process is None:
                return
            session.end(process.pid)
            process.wait()
            os.close(self._leash)
            # Its number may soon be that of somebody else.
            self._process = None
        shutil.rmtree(self.folder / "uml", ignore_errors=True)
