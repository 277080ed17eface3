"""The heart-rate characteristic as bluetoothd has it, and another program of the machine that uses it, too."""

from __future__ import annotations

import re
import subprocess

from radio_lab.guest.daemons import bus_call
from radio_lab.guest.failure import ScenarioFailure
from radio_lab.guest.waiting import wait_until

MEASUREMENT = "00002a37-0000-1000-8000-00805f9b34fb"
OBJECT = re.compile(r"'(/org/bluez[^']*)': \{'org\.")


def measurement_path(address: str) -> str | None:
    """Returns the object path of a strap's Heart Rate Measurement, once its services are resolved."""
    return characteristic_path(address, MEASUREMENT)


def characteristic_path(address: str, identifier: str) -> str | None:
    """Returns the object path of a strap's characteristic with this UUID, once its services are resolved."""
    device = "dev_" + address.replace(":", "_")
    objects = bus_call("org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects").stdout
    # Each object's interfaces follow its path.
    pieces = OBJECT.split(objects)
    return next(
        (path for path, interfaces in zip(pieces[1::2], pieces[2::2])
         if device in path and f"'UUID': <'{identifier}'>" in interfaces),
        None,
    )


def characteristic_flag(path: str, name: str) -> bool:
    """Returns `Notifying` or `NotifyAcquired` of a characteristic."""
    answer = bus_call(
        "org.bluez", path, "org.freedesktop.DBus.Properties", "Get", "org.bluez.GattCharacteristic1", name
    )
    return "true" in answer.stdout


class OtherProgram:
    """Another program, bluetoothctl, connected to the same strap."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["bluetoothctl"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
        )

    def connect(self, address: str) -> str:
        """Finds a strap and connects to it. Returns the object path of its measurement."""
        self._say("scan le")
        device = f"/org/bluez/hci0/dev_{address.replace(':', '_')}"
        wait_until(f"bluetoothctl finds {address}", lambda: self._has(device), 15, pause=0.2)
        # One at a time. Where StopDiscovery meets the beginning of the scan, bluetoothd goes on scanning; where it meets the
        # end that a connection brings, bluetoothd takes the next discovery with the same filter for one that runs.
        wait_until("the adapter scans", lambda: self._is_scanning(True), 15, pause=0.2)
        self._say("scan off")
        wait_until("the adapter no longer scans", lambda: self._is_scanning(False), 15, pause=0.2)
        self._say(f"connect {address}")
        return wait_until("the services are resolved", lambda: measurement_path(address), 20, pause=0.2)

    def listen(self, path: str) -> None:
        """Subscribes by signals, and stays subscribed."""
        self._say("menu gatt", f"select-attribute {path}", "notify on")
        wait_until("bluetoothctl is subscribed", lambda: characteristic_flag(path, "Notifying"), 10, pause=0.2)

    def scan(self) -> None:
        """Keeps scanning."""
        self._say("scan le")

    def accept(self) -> None:
        """Answers yes to the question of its agent."""
        self._say("yes")

    def end(self) -> None:
        """Ends the program."""
        self._process.kill()
        self._process.wait()

    def _has(self, path: str) -> bool:
        return path in bus_call("org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects").stdout

    def _is_scanning(self, expected: bool) -> bool:
        """Returns whether the adapter scans or not, as expected."""
        state = bus_call(
            "org.bluez", "/org/bluez/hci0", "org.freedesktop.DBus.Properties", "Get", "org.bluez.Adapter1", "Discovering"
        )
        return f"<{str(expected).lower()}>" in state.stdout

    def _say(self, *lines: str) -> None:
        if self._process.stdin is None or self._process.poll() is not None:
            raise ScenarioFailure("bluetoothctl has ended")
        for line in lines:
            self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
