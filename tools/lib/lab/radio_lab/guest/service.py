"""A program of the guest that runs in the background."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from radio_lab.guest.failure import ScenarioFailure


class Service:
    """Starts, ends and restarts a program; its output is appended to a log file."""

    def __init__(self, command: list[str], log: Path, environment: dict[str, str] | None = None) -> None:
        self.command = command
        self.log = log
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it."""
        if self.is_running:
            raise ScenarioFailure(f"{self.command[0]} is running already")
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self._environment
            )

    @property
    def is_running(self) -> bool:
        """Returns whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process identifier."""
        if self._process is None:
            raise ScenarioFailure(f"{self.command[0]} was not started")
        return self._process.pid

    def stop(self, seconds: float = 10) -> int:
        """Ends it in order, or kills it after a time limit. Returns its exit code."""
        return self._end(signal.SIGTERM, seconds)

    def kill(self) -> int:
        """Kills it."""
        return self._end(signal.SIGKILL, 5)

    def check(self) -> None:
        """Fails the scenario unless it is running."""
        if not self.is_running:
            tail = self.log.read_text(errors="replace")[-600:] if self.log.exists() else ""
            raise ScenarioFailure(f"{self.command[0]} has ended by itself; its log ends with: {tail}")

    def _end(self, how: signal.Signals, seconds: float) -> int:
        process = self._process
        if process is None:
            return 0
        process.send_signal(how)
        try:
            return process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def cpu_seconds(pid: int) -> float:
    """Returns the processor time of a process, including the kernel's."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_path(path: Path, service: Service, seconds: float) -> None:
    """Waits for a file that a service creates when it is ready."""
    end = time.monotonic() + seconds
    while not path.exists():
        service.check()
        if time.monotonic() > end:
            raise ScenarioFailure(f"{service.command[0]} did not make {path} within {seconds:g} s")
        time.sleep(0.02)
