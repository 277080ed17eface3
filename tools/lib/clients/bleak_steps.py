"""What a program that uses bleak does with a strap: find, connect, read, subscribe, write, pair, and lose it again."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.exc import BleakError, BleakGATTProtocolError

from fake_daemon import FakeDaemon, Strap
from steps import Steps, Unmet, expect

STEP_SECONDS = 12.0
FIND_SECONDS = 4.0
HEART_RATE, THERMOMETER = "180d", "1809"
MEASUREMENT, LOCATION, CONTROL_POINT, BATTERY = "2a37", "2a38", "2a39", "2a19"
MANUFACTURER, MODEL = "2a29", "2a24"
RESET_ENERGY = b"\x01"
# Values that the capture does not have: 250 bpm.
MARK, LATE_MARK = bytes([0x10, 250, 0x34, 0x01]), bytes([0x10, 250, 0x35, 0x01])


def full(short: str) -> str:
    """Returns the 128-bit text of a 16-bit UUID."""
    return f"0000{short}-0000-1000-8000-00805f9b34fb"


class BleakSteps:
    """The steps in order; those after the connection share it."""

    def __init__(self, daemon: FakeDaemon, straps: list[Strap], steps: Steps) -> None:
        self._daemon, self._steps = daemon, steps
        self._strap, self._other = straps
        self._client: BleakClient | None = None
        self._losses = 0

    async def run(self) -> None:
        """Runs all steps."""
        for title, body in (
            ("discovers the straps with name, level and service", self._discover),
            ("hears a strap again and again, at levels that vary", self._hear),
            ("finds a strap by name", self._by_name),
            ("finds a strap by address", self._by_address),
            ("finds a strap by what it advertises", self._by_filter),
            ("hears only what it filters for", self._only_wanted),
            ("connects and sees the services", self._connect),
            ("reads battery, sensor location and device information", self._read),
            ("gets notifications as signals, and no more when it stops", lambda: self._notify(True)),
            ("gets notifications from a socket, and no more when it stops", lambda: self._notify(False)),
            ("resets the energy, and is told what the strap refuses", self._write),
            ("pairs on the link", self._pair),
            ("is told of a link that the strap ends", self._drop),
            ("disconnects", self._disconnect),
            ("unpairs, and finds the strap again", self._unpair),
            ("pairs before it connects", self._pair_first),
            ("goes on after a daemon that was killed while it scanned", self._killed),
            ("goes on after a daemon that ended while it was connected", self._ended),
        ):
            with self._steps.step(f"bleak: {title}"):
                async with asyncio.timeout(STEP_SECONDS):
                    await body()
        if self._client is not None and self._client.is_connected:
            await self._client.disconnect()

    # Finding

    async def _discover(self) -> None:
        found = await BleakScanner.discover(timeout=1.5, return_adv=True)
        for strap in (self._strap, self._other):
            expect(strap.address in found, f"{strap.address} is not among {sorted(found)}")
            device, heard = found[strap.address]
            expect(device.name == strap.name == heard.local_name, f"its name is {device.name}, {heard.local_name}")
            expect(-100 < heard.rssi < 0, f"its level is {heard.rssi}")
            expect(full(HEART_RATE) in heard.service_uuids, f"its services are {heard.service_uuids}")

    async def _hear(self) -> None:
        levels: list[int] = []

        def heard(device: BLEDevice, advertisement: Any) -> None:
            if device.address == self._strap.address:
                levels.append(advertisement.rssi)

        async with BleakScanner(heard):
            await asyncio.sleep(4.5)
        expect(len(levels) >= 4 and len(set(levels)) >= 3, f"in 4.5 s it heard the levels {levels}")

    async def _by_name(self) -> None:
        self._expect(await BleakScanner.find_device_by_name(self._strap.name, timeout=FIND_SECONDS))

    async def _by_address(self) -> None:
        self._expect(await BleakScanner.find_device_by_address(self._strap.address, timeout=FIND_SECONDS))

    async def _by_filter(self) -> None:
        found = await BleakScanner.find_device_by_filter(
            lambda device, heard: full(HEART_RATE) in heard.service_uuids and device.name == self._strap.name,
            timeout=FIND_SECONDS)
        self._expect(found)

    def _expect(self, found: BLEDevice | None) -> None:
        expect(found is not None, f"it found nothing in {FIND_SECONDS:g} s")
        expect(found is not None and found.address == self._strap.address, f"it found {found}")

    async def _only_wanted(self) -> None:
        wanted = await BleakScanner.discover(timeout=1.5, service_uuids=[full(HEART_RATE)])
        expect(len(wanted) == 2, f"of the straps it heard {wanted}")
        unwanted = await BleakScanner.discover(timeout=1.5, service_uuids=[full(THERMOMETER)])
        expect(not unwanted, f"of the thermometers, which are none, it heard {unwanted}")

    # With a link

    async def _link(self, strap: Strap, pair: bool = False) -> BleakClient:
        """Creates a new link."""
        if self._client is not None and self._client.is_connected:
            await self._client.disconnect()
        devices = {device.address: device for device in await BleakScanner.discover(timeout=1.2)}
        expect(strap.address in devices, f"{strap.address} is not among {sorted(devices)}")
        self._losses = 0
        self._client = BleakClient(devices[strap.address], disconnected_callback=self._lost, pair=pair)
        await self._client.connect()
        expect(self._client.is_connected, "it is not connected")
        return self._client

    def _lost(self, _client: BleakClient) -> None:
        self._losses += 1

    def _linked(self) -> BleakClient:
        if self._client is None or not self._client.is_connected:
            raise Unmet("there is no link")
        return self._client

    async def _connect(self) -> None:
        client = await self._link(self._strap)
        offered = {service.uuid for service in client.services}
        wanted = {full(uuid) for uuid in (HEART_RATE, "180f", "180a")}
        expect(wanted <= offered, f"the services are {sorted(offered)}")

    async def _read(self) -> None:
        client = self._linked()
        self._daemon.do(f"battery {self._strap.number} 71")
        values = {uuid: bytes(await client.read_gatt_char(uuid)) for uuid in (BATTERY, LOCATION, MANUFACTURER, MODEL)}
        expect(values[BATTERY] == bytes([71]), f"the battery is {values[BATTERY]!r}")
        expect(len(values[LOCATION]) == 1, f"the sensor is at {values[LOCATION]!r}")
        for uuid in (MANUFACTURER, MODEL):
            expect(values[uuid].decode().isprintable() and values[uuid], f"{uuid} is {values[uuid]!r}")
        try:
            await client.read_gatt_char(MEASUREMENT)
        except BleakGATTProtocolError as error:
            expect(error.code == 0x02, f"reading what only notifies is refused with {error}")
        else:
            raise Unmet("what only notifies can be read")

    async def _notify(self, by_signals: bool) -> None:
        client, values = self._linked(), Counter[bytes]()
        marked = asyncio.Event()

        def take(_: Any, value: bytearray) -> None:
            values[bytes(value)] += 1
            if value == MARK:
                marked.set()

        await client.start_notify(MEASUREMENT, take, bluez={"use_start_notify": by_signals})
        self._daemon.do(f"value {self._strap.number} {MARK.hex()}")
        async with asyncio.timeout(3):
            await marked.wait()
        await asyncio.sleep(1.2)
        expect(values[MARK] == 1, f"the value came {values[MARK]} times")
        expect(len(values) > 1, "nothing came of what the strap notifies by itself")
        await client.stop_notify(MEASUREMENT)
        self._daemon.do(f"value {self._strap.number} {LATE_MARK.hex()}")
        await asyncio.sleep(0.3)
        expect(not values[LATE_MARK], "a value came after it had stopped")

    async def _write(self) -> None:
        client = self._linked()
        await client.write_gatt_char(CONTROL_POINT, RESET_ENERGY, response=True)
        for value, code in ((b"\x02", 0x80), (b"\x00", 0x80), (b"\x01\x01", 0x0D)):
            try:
                await client.write_gatt_char(CONTROL_POINT, value, response=True)
            except BleakGATTProtocolError as error:
                expect(error.code == code, f"{value!r} is refused with {error}")
            else:
                raise Unmet(f"{value!r} is taken")

    async def _pair(self) -> None:
        await self._linked().pair()
        expect(self._daemon.is_paired(self._strap), "the strap is not paired")

    async def _drop(self) -> None:
        client = self._linked()
        self._daemon.do(f"drop {self._strap.number}")
        await self._await_loss()
        expect(not client.is_connected, "it believes to be connected")

    async def _await_loss(self) -> None:
        for _ in range(100):
            if self._losses:
                break
            await asyncio.sleep(0.05)
        expect(self._losses == 1, f"it was told {self._losses} times that the link ended")

    async def _disconnect(self) -> None:
        client = await self._link(self._strap)
        await client.disconnect()
        expect(not client.is_connected, "it believes to be connected")
        await self._await_loss()

    async def _unpair(self) -> None:
        client = await self._link(self._strap)
        await client.unpair()
        await asyncio.sleep(0.3)
        found = await BleakScanner.find_device_by_address(self._strap.address, timeout=FIND_SECONDS)
        expect(found is not None, "it does not find the strap again")
        expect(not self._daemon.is_paired(self._strap), "the strap is still paired")

    async def _pair_first(self) -> None:
        client = await self._link(self._strap, pair=True)
        expect(self._daemon.is_paired(self._strap), "the strap is not paired")
        expect(await client.read_gatt_char(BATTERY) == bytearray([71]), "the battery cannot be read")
        await client.unpair()

    # The daemon comes and goes

    async def _killed(self) -> None:
        heard = asyncio.Event()
        scanner = BleakScanner(lambda device, _: heard.set() if device.address == self._strap.address else None)
        await scanner.start()
        async with asyncio.timeout(3):
            await heard.wait()
        self._daemon.do("kill")
        self._daemon.start()
        # Its discovery ended with the daemon, as it is told.
        try:
            await scanner.stop()
        except BleakError:
            pass
        heard.clear()
        await scanner.start()
        async with asyncio.timeout(3):
            await heard.wait()
        await scanner.stop()

    async def _ended(self) -> None:
        await self._link(self._strap)
        self._daemon.do("end")
        await self._await_loss()
        self._daemon.start()
        # It has to hear that there is an adapter again.
        await asyncio.sleep(0.3)
        client = await self._link(self._strap)
        expect(await client.read_gatt_char(BATTERY) == bytearray([71]), "the battery cannot be read")
        await client.disconnect()
