"""Debian's mosquitto, with users and passwords."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path

from package_checks.report import CheckUnavailable

USERS = {"station": "the station's", "home": "Home Assistant's"}
START_SECONDS = 10.0


class Broker:
    """A broker on a port of this machine. What is retained is lost when it stops, as after a crash of its machine."""

    def __init__(self, folder: Path, port: int) -> None:
        self.port = port
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        passwords = folder / "passwords"
        passwords.touch(mode=0o600)
        for user, password in USERS.items():
            subprocess.run(["mosquitto_passwd", "-b", passwords, user, password], check=True)
        (folder / "mosquitto.conf").write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous false\npassword_file {passwords}\nuser root\n")

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        log = (self._folder / "mosquitto.log").open("ab")
        self._process = subprocess.Popen(
            ["mosquitto", "-c", self._folder / "mosquitto.conf"], stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if time.monotonic() > end:
                    raise CheckUnavailable(f"mosquitto does not listen; see {log.name}") from None
                time.sleep(0.1)

    def stop(self) -> None:
        """Ends it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None
