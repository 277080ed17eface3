"""The station and what stands for its radio, as processes that end with the trial."""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager
from collections.abc import Callable, Iterator
from pathlib import Path

PATIENCE = 20.0
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


def settings(*pairs: str) -> list[str]:
    """Returns the arguments that set keys of the configuration, each as key=value."""
    return [word for pair in pairs for word in ("--set", pair)]


def free_port() -> int:
    """Returns a port that nothing listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Station:
    """A running station, and its resources."""

    def __init__(self, binary: str, folder: Path, arguments: list[str], database: Path | None = None,
                 port: int | None = 0):
        self.folder = folder
        self.log = (folder / "station.log").open("ab")
        environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
        self.process = subprocess.Popen(
            [binary, "station", "--database", str(database or folder / "tachogram.sqlite"),
             *([] if port is None else ["--port", str(port)]), *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, env=environment)
        # A trial that fails leaves no process behind.
        atexit.register(self.kill)
        self.follow_restart()

    def follow_restart(self) -> None:
        """Waits until the station says where its page is, as it does at each start: the port may be another one."""
        line = self.process.stdout.readline().decode().strip()
        if "://" not in line:
            self.kill()
            raise SystemExit(f"station: the station did not start:\n{self.text()}")
        self.base = line.split(" ")[-1]

    @property
    def port(self) -> int:
        """The port of the page."""
        return int(self.base.rsplit(":", 1)[1])

    def get(self, path: str) -> bytes:
        """Returns the answer of the station."""
        with urllib.request.urlopen(self.base + path, timeout=PATIENCE) as answer:
            return answer.read()

    def live(self) -> list[dict]:
        """Returns the current readings."""
        return json.loads(self.get("/api/v1/live"))["readings"]

    def wait_until(self, what: str, holds: Callable[[], bool]) -> float:
        """Waits until a condition holds. Returns the seconds."""
        started = time.monotonic()
        while not holds():
            if time.monotonic() - started > PATIENCE:
                try:
                    shown = self.live()
                except OSError as error:
                    shown = error
                raise SystemExit(f"station: {what}: not within {PATIENCE:g} s:\n{shown}\n{self.text()}")
            time.sleep(0.1)
        return time.monotonic() - started

    def wait_for(self, straps: int) -> None:
        """Waits until a number of straps is received."""
        self.wait_until(f"{straps} straps are heard", lambda: sum(one["isCurrent"] for one in self.live()) >= straps)

    def processor_seconds(self) -> float:
        """Returns the processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self) -> dict[str, int]:
        """Returns the resident bytes, those of them that are its own and not of a file, and the maximum."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        values = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith(("VmRSS", "RssAnon", "VmHWM"))}
        return {name: int(value) * 1024 for name, value in values.items()}

    def written(self) -> int:
        """Returns the bytes written to the disk."""
        lines = Path(f"/proc/{self.process.pid}/io").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("write_bytes")))

    def end(self) -> float:
        """Requests the end of the station. Returns the seconds that it took."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise SystemExit("station: the station did not end on SIGTERM") from None
        if code != 0:
            raise SystemExit(f"station: the station ended with {code}:\n{self.text()}")
        return time.monotonic() - started

    def kill(self) -> None:
        """Kills the station."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.log.close()

    def text(self) -> str:
        """Returns the last log lines."""
        return "\n".join((self.folder / "station.log").read_text(errors="replace").splitlines()[-20:])


@contextmanager
def station(binary: str, folder: Path, arguments: list[str], database: Path | None = None,
            port: int | None = 0) -> Iterator[Station]:
    """Runs a station. Its database is in the folder unless another is given; without a port, the arguments name it."""
    running = Station(binary, folder, arguments, database, port)
    try:
        yield running
    finally:
        running.kill()


@contextmanager
def straps(fake: str, capture: Path, count: int, *flags: str) -> Iterator[str]:
    """Runs straps of a fake Bluetooth daemon. Returns the address of its bus."""
    process = subprocess.Popen(
        [fake, "--capture", str(capture), "--straps", str(count), *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    try:
        yield process.stdout.readline().decode().strip()
    finally:
        process.terminate()
        process.wait()


def addresses(binary: str, bus: str) -> list[str]:
    """Returns the straps in range."""
    done = subprocess.run(
        [binary, "scan", "--bus", bus, "--duration", "3s", "--format", "json"], check=True, stdout=subprocess.PIPE)
    return sorted(one["address"] for one in json.loads(done.stdout)["straps"])
