"""The guest's Bluetooth adapters as the kernel and bluetoothd have them: on or off, blocked or not."""

from __future__ import annotations

import time
from pathlib import Path

from radio_lab.guest.daemons import bus_call
from radio_lab.guest.failure import ScenarioFailure
from radio_lab.guest.waiting import wait_until

SWITCHES = Path("/sys/class/rfkill")


class Adapters:
    """Switches adapters as other programs of a machine do."""

    def is_powered(self, index: int = 0) -> bool:
        """Returns whether an adapter is on, as bluetoothd reports it."""
        return self.property("Powered", index)

    def property(self, name: str, index: int = 0) -> bool:
        """Returns whether an adapter has a property that is not false."""
        answer = bus_call("org.bluez", f"/org/bluez/hci{index}", "org.freedesktop.DBus.Properties", "Get",
                          "org.bluez.Adapter1", name)
        return answer.returncode == 0 and "<false>" not in answer.stdout

    def wait_powered(self, index: int = 0) -> float:
        """Waits until an adapter is on. Returns the time."""
        wait_until(f"the adapter hci{index} is on", lambda: self.is_powered(index), 15, pause=0.1)
        return time.monotonic()

    def power(self, on: bool, index: int = 0) -> float:
        """Switches an adapter on or off through bluetoothd. Returns the time when that was done."""
        wanted = "<true>" if on else "<false>"

        def switched() -> bool:
            # Right after an adapter appears or is unblocked, the daemon may be busy with it.
            return bus_call("org.bluez", f"/org/bluez/hci{index}", "org.freedesktop.DBus.Properties", "Set",
                            "org.bluez.Adapter1", "Powered", wanted).returncode == 0

        wait_until(f"bluetoothd switches hci{index} {'on' if on else 'off'}", switched, 10, pause=0.2)
        return time.monotonic()

    def block(self, blocked: bool) -> float:
        """Blocks or unblocks Bluetooth through rfkill. Returns the time when that was done."""
        every = sorted(SWITCHES.iterdir())
        switches = [switch for switch in every if (switch / "type").read_text().strip() == "bluetooth"]
        if not switches:
            raise ScenarioFailure("the kernel has no Bluetooth switch (rfkill)")
        for switch in switches:
            (switch / "soft").write_text("1" if blocked else "0")
        return time.monotonic()
