"""The services of the guest that Bluetooth needs: the bus, the Bluetooth daemon, the monitor."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from radio_lab.guest.service import Service, wait_for_path
from radio_lab.guest.waiting import wait_until

BUS_SOCKET = Path("/run/dbus/system_bus_socket")
BLUETOOTHD_PLACES = ("/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd")
BTSNOOP_HEADER = 16


class Bus:
    """The system bus."""

    def __init__(self, logs: Path) -> None:
        self.service = Service(["dbus-daemon", "--system", "--nofork", "--nopidfile"], logs / "dbus.log")

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        BUS_SOCKET.unlink(missing_ok=True)
        self.service.start()
        wait_for_path(BUS_SOCKET, self.service, 10)

    def restart(self) -> float:
        """Restarts it. Returns the time when it was back. All clients are disconnected."""
        self.service.stop()
        self.start()
        return time.monotonic()


class BluetoothDaemon:
    """The bluetoothd of the distribution, or that of another command."""

    def __init__(self, logs: Path, tells_details: bool, command: Sequence[str] = ()) -> None:
        program = next((place for place in BLUETOOTHD_PLACES if os.access(place, os.X_OK)), BLUETOOTHD_PLACES[0])
        self.command = list(command) or [program]
        self.service = Service([*self.command, "-n", *(["-d"] if tells_details else [])], logs / "bluetoothd.log")

    def start(self) -> float:
        """Starts it, and waits until it owns its name. Returns the time."""
        self.service.start()
        wait_until("bluetoothd has its name on the bus", self._has_name, 15, pause=0.1)
        return time.monotonic()

    def stop(self) -> None:
        """Ends it in order."""
        self.service.stop()

    def kill(self) -> None:
        """Kills it."""
        self.service.kill()

    def version(self) -> str:
        """Returns its version, such as 5.66."""
        return subprocess.run([*self.command, "--version"], capture_output=True, text=True, check=False).stdout.strip()

    def _has_name(self) -> bool:
        self.service.check()
        answer = bus_call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetNameOwner", "org.bluez")
        return answer.returncode == 0


class Monitor:
    """btmon, which writes all packets of all controllers as the kernel received them."""

    def __init__(self, capture: Path, logs: Path) -> None:
        self.capture = capture
        # Its own standard output is a report for people, which nobody reads here.
        self._service = Service(["btmon", "--no-pager", "-w", str(capture)], logs / "btmon.log")

    def start(self) -> None:
        """Starts it, and waits until it receives packets."""
        self._service.start()
        wait_until("btmon writes", lambda: self.capture.exists() and self.capture.stat().st_size > BTSNOOP_HEADER, 10)

    def stop(self) -> None:
        """Ends it, which completes its file."""
        self._service.stop()


def bus_call(
    destination: str, path: str, interface: str, member: str, *arguments: str,
) -> "subprocess.CompletedProcess[str]":
    """Calls a method on the system bus, by a client that is independent of the program under test."""
    return subprocess.run(
        ["gdbus", "call", "--system", "--dest", destination, "--object-path", path, "--method", f"{interface}.{member}",
         *arguments],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30, check=False,
    )
