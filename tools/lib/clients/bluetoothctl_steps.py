"""What a person does with a strap in bluetoothctl."""

from __future__ import annotations

import re
import time

from bluetoothctl import Bluetoothctl
from fake_daemon import FakeDaemon, Strap
from steps import Steps, Unmet, expect

PASSKEY = 123_456
SEEN_WITHIN_SECONDS = 10.0
MARK = bytes([0x10, 250, 0x36, 0x01])
MEASUREMENT, LOCATION, CONTROL_POINT, BATTERY = "2a37", "2a38", "2a39", "2a19"


def dump(value: bytes) -> str:
    """Returns bytes in the form of bluetoothctl."""
    return " ".join(f"{byte:02x}" for byte in value)


class BluetoothctlSteps:
    """The steps in order. The first strap is paired without a question, the other one shows a passkey."""

    def __init__(self, daemon: FakeDaemon, straps: list[Strap], steps: Steps, shell: Bluetoothctl) -> None:
        self._daemon, self._steps, self._shell = daemon, steps, shell
        self._strap, self._other = straps
        self._attributes: dict[str, str] = {}

    def run(self) -> None:
        """Runs all steps."""
        for title, body in (
            ("registers its agent and shows the controller", self._begin),
            ("finds the straps", self._scan),
            ("shows other levels of a strap while it scans", self._levels),
            ("forgets the levels when it stops", self._stop),
            ("pairs a strap that is not connected", self._pair),
            ("removes a strap and finds it again", self._remove),
            ("pairs with the passkey that a strap shows", self._passkey),
            ("connects a strap and lists its attributes", self._connect),
            ("reads battery and sensor location", self._read),
            ("gets notifications as signals", self._notify),
            ("gets notifications from a socket", self._acquire),
            ("resets the energy, and is told what the strap refuses", self._write),
            ("disconnects", self._disconnect),
            ("goes on after a daemon that was killed while it scanned", self._killed),
            ("goes on after a daemon that ended while it was connected", self._ended),
        ):
            with self._steps.step(f"bluetoothctl: {title}"):
                body()

    # Finding and pairing

    def _begin(self) -> None:
        self._shell.expect("Agent registered")
        self._shell.say("show", r"Powered: yes[\s\S]*Discovering: no")

    def _scan(self) -> None:
        place = self._shell.type("scan on")
        self._shell.expect("Discovery started", place)
        self._shell.expect("Discovering: yes", place)
        for strap in (self._strap, self._other):
            self._shell.expect(rf"\[(NEW|CHG)\] Device {strap.address}", place)
            self._shell.say("devices", rf"Device {strap.address} {re.escape(strap.name)}")

    def _levels(self) -> None:
        """Checks the signal levels: without a filter, only those that differ by 8 dB are reported."""
        place = self._shell.type("")
        end, levels = time.monotonic() + 9, []
        while len(levels) < 2 and time.monotonic() < end:
            time.sleep(0.2)
            levels = self._shell.seen(rf"\[CHG\] Device {self._strap.address} RSSI: (-\d+)", place)
        expect(len(set(levels)) >= 2, f"in 9 s it showed the levels {levels}")

    def _stop(self) -> None:
        place = self._shell.type("scan off")
        for pattern in ("Discovery stopped", rf"Device {self._strap.address} RSSI is nil", "Discovering: no"):
            self._shell.expect(pattern, place)

    def _pair(self) -> None:
        place = self._shell.type(f"pair {self._strap.address}")
        for pattern in ("Connected: yes", "Bonded: yes", "ServicesResolved: yes", "Paired: yes", "Pairing successful"):
            self._shell.expect(pattern, place)
        self._shell.say(f"info {self._strap.address}", r"Paired: yes[\s\S]*Heart Rate[\s\S]*Battery Percentage: 0x")

    def _remove(self) -> None:
        place = self._shell.type(f"remove {self._strap.address}")
        self._shell.expect("Device has been removed", place)
        self._shell.expect(rf"\[DEL\] Device {self._strap.address}", place)
        self._shell.say("scan on", rf"\[NEW\] Device {self._strap.address}")

    def _passkey(self) -> None:
        self._daemon.do(f"secure {self._other.number} {PASSKEY}")
        place = self._shell.type(f"pair {self._other.address}")
        self._shell.expect("Enter passkey", place)
        self._shell.type(str(PASSKEY))
        self._shell.expect("Pairing successful", place)
        expect(self._daemon.is_paired(self._other), "the strap is not paired")
        self._shell.say(f"disconnect {self._other.address}", "Successful disconnected")

    # With a link

    def _connect(self) -> None:
        self._shell.type("scan off")
        self._link()
        self._shell.say("menu gatt", "Menu gatt:")
        place = self._shell.type(f"list-attributes {self._strap.address}")
        for uuid in (MEASUREMENT, LOCATION, CONTROL_POINT, BATTERY):
            match = self._shell.expect(rf"({self._strap.path}/\S+)\s+0000{uuid}-0000-1000-8000", place)
            self._attributes[uuid] = match[1]

    def _link(self) -> None:
        place = self._shell.type(f"connect {self._strap.address}")
        self._shell.expect("Connection successful", place)
        self._shell.expect("ServicesResolved: yes", place)

    def _select(self, uuid: str) -> None:
        """Selects a characteristic by its path, because straps that were connected before keep their attributes of
        the same types."""
        expect(uuid in self._attributes, "its attributes were not listed")
        self._shell.type(f"select-attribute {self._attributes[uuid]}")
        self._shell.say("attribute-info", f"UUID: .*0000{uuid}-")

    def _read(self) -> None:
        self._daemon.do(f"battery {self._strap.number} 71")
        self._select(BATTERY)
        self._shell.say("read", r"Attempting to read[\s\S]*\n47 ")
        self._select(LOCATION)
        self._shell.say("read", r"Attempting to read[\s\S]*\n0[0-6] ")

    def _notify(self) -> None:
        self._select(MEASUREMENT)
        place = self._shell.type("notify on")
        self._shell.expect("Notifying: yes", place)
        self._shell.expect("Notify started", place)
        self._daemon.do(f"value {self._strap.number} {MARK.hex()}")
        self._shell.expect(rf"Value:\n{dump(MARK)}", place)
        self._shell.say("notify off", "Notify stopped")

    def _acquire(self) -> None:
        place = self._shell.type("acquire-notify")
        self._shell.expect(r"AcquireNotify success: fd \d+ MTU \d+", place)
        self._daemon.do(f"value {self._strap.number} {MARK.hex()}")
        self._shell.expect(rf"Notification:\n{dump(MARK)}", place)
        self._shell.say("release-notify", "NotifyAcquired: no")

    def _write(self) -> None:
        self._select(CONTROL_POINT)
        place = self._shell.say("write 0x01", "Attempting to write").start()
        time.sleep(0.5)
        expect(not self._shell.seen("Failed to write", place), "a strap refuses 0x01")
        self._shell.say("write 0x02", "Failed to write: org.bluez.Error.Failed")

    def _disconnect(self) -> None:
        self._shell.say("back", "Menu main:")
        place = self._shell.type(f"disconnect {self._strap.address}")
        for pattern in ("ServicesResolved: no", "Connected: no", "Successful disconnected"):
            self._shell.expect(pattern, place)

    # The daemon comes and goes

    def _killed(self) -> None:
        self._shell.say("scan on", "Discovering: yes")
        place = self._shell.type("")
        self._daemon.do("kill")
        self._shell.expect("Waiting to connect to bluetoothd", place)
        self._start(place)
        self._shell.say("scan on", rf"\[(NEW|CHG)\] Device {self._strap.address}")
        self._shell.say("scan off", "Discovery stopped")

    def _ended(self) -> None:
        self._link()
        place = self._shell.type("")
        self._daemon.do("end")
        for pattern in ("Connected: no", "Powered: no", r"\[DEL\] Controller", "Waiting to connect to bluetoothd"):
            self._shell.expect(pattern, place)
        self._start(place)
        self._await_known()
        self._link()
        self._shell.say(f"disconnect {self._strap.address}", "Successful disconnected")

    def _start(self, place: int) -> None:
        """Starts the daemon, and again if bluetoothctl has not noticed it, which happens rarely on a busy machine."""
        self._daemon.start()
        try:
            self._shell.expect("Agent registered", place, SEEN_WITHIN_SECONDS)
        except Unmet as unmet:
            print(f"        started once more: {unmet}", flush=True)
            self._daemon.do("kill")
            self._daemon.start()
            self._shell.expect("Agent registered", place)

    def _await_known(self) -> None:
        """Waits until a strap is listed that the daemon remembers; bluetoothctl does not report those."""
        end = time.monotonic() + 5
        while time.monotonic() < end:
            place = self._shell.type("devices")
            time.sleep(0.2)
            if self._shell.seen(f"Device {self._strap.address}", place):
                return
        raise Unmet("it does not list the strap that the daemon remembers")
