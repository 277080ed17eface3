"""A strap and a central, both bumble's, on the virtual radio: no kernel. Run with the interpreter that
`python3 tools/lib/lab/common/environment.py` prints."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bumble import hci  # noqa: E402
from bumble.att import ATT_Error  # noqa: E402
from bumble.core import UUID, ProtocolError  # noqa: E402
from bumble.device import Connection, Device, DeviceConfiguration, Peer  # noqa: E402
from bumble.gatt_client import CharacteristicProxy  # noqa: E402
from bumble.host import Host  # noqa: E402

from virtual_strap.behaviours import parse_behaviours  # noqa: E402
from virtual_strap.commands import Commands  # noqa: E402
from virtual_strap.controllers import KernelController, StrapHost, VirtualController  # noqa: E402
from virtual_strap.journal import Journal  # noqa: E402
from virtual_strap.radio import Radio  # noqa: E402
from virtual_strap.reach import Reach  # noqa: E402
from virtual_strap.strap import Strap, StrapSettings  # noqa: E402
from virtual_strap.world import World  # noqa: E402

STRAP = "D0:5A:00:00:00:01"
DEADLINE = 15.0


class Lab:
    """One strap, one central and the strap's log."""

    def __init__(self, folder: Path, behaviours: list[str], play: str, hz: float | None) -> None:
        self.log = folder / "log"
        radio = Radio()
        controller = VirtualController("strap", radio, "00:00:00:00:00:00")
        device = Device(
            host=StrapHost(controller),
            config=DeviceConfiguration(name="Strap", address=hci.Address(STRAP), gap_service_enabled=False),
        )
        settings = StrapSettings(0, "Strap", play, hz, parse_behaviours(behaviours))
        self.strap = Strap(settings, device, Journal(self.log), Reach(radio, controller))
        self.commands = Commands(World(straps=[self.strap]))
        central = KernelController("central", radio, "C0:FF:EE:00:00:01")
        host = Host()
        host.controller = central
        self.central = Device(host=host, config=DeviceConfiguration(address=hci.Address("F0:00:00:00:00:01")))
        self.reasons: list[int] = []
        self.values: list[bytes] = []

    async def connect(self) -> Connection:
        await self.strap.start()
        await self.central.power_on()
        return await self.connect_again()

    async def connect_again(self) -> Connection:
        own = hci.OwnAddressType.PUBLIC  # as BlueZ does
        connection = await self.central.connect(hci.Address(STRAP), own_address_type=own, timeout=DEADLINE)
        connection.on("disconnection", self.reasons.append)
        return connection

    async def find(self, connection: Connection, uuid: int) -> CharacteristicProxy[Any]:
        peer = Peer(connection)
        await peer.discover_services()
        await peer.discover_characteristics()
        return peer.get_characteristics_by_uuid(UUID.from_16_bits(uuid))[0]

    async def subscribe(self, connection: Connection) -> None:
        measurement = await self.find(connection, 0x2A37)
        await measurement.discover_descriptors()
        await measurement.subscribe(self.values.append)

    async def do(self, verb: str, **arguments: Any) -> dict[str, Any]:
        return await self.commands.answer(json.dumps({"do": verb, **arguments}).encode())

    async def wait(self, condition: Any) -> None:
        async with asyncio.timeout(DEADLINE):
            while not condition():
                await asyncio.sleep(0.005)

    def logged(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def events(self) -> list[str]:
        return [line["event"] for line in self.logged() if "event" in line]


class LinkTests(unittest.IsolatedAsyncioTestCase):
    def lab(self, *behaviours: str, play: str = "counter", hz: float | None = 200) -> Lab:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Lab(Path(folder.name), list(behaviours), play, hz)

    async def test_services_are_those_of_a_strap(self) -> None:
        lab = self.lab()
        connection = await lab.connect()
        expected = {0x2A38: b"\x01", 0x2A19: bytes([93]), 0x2A29: b"Tachogram", 0x2A25: b"VS-0001", 0x2A01: b"\x41\x03"}
        for uuid, value in expected.items():
            with self.subTest(hex(uuid)):
                self.assertEqual(await (await lab.find(connection, uuid)).read_value(), value)

    async def test_the_control_point_resets_energy_and_refuses_the_rest(self) -> None:
        lab = self.lab()
        control = await lab.find(await lab.connect(), 0x2A39)
        lab.strap.body.energy = 7
        await control.write_value(b"\x01", with_response=True)
        self.assertEqual(lab.strap.body.energy, 0)
        for value in (b"\x02", b"", b"\x01\x01"):
            with self.assertRaises((ATT_Error, ProtocolError)) as caught:
                await control.write_value(value, with_response=True)
            self.assertEqual(caught.exception.error_code, 0x80)

    async def test_what_is_read_only_stays_so(self) -> None:
        lab = self.lab()
        location = await lab.find(await lab.connect(), 0x2A38)
        with self.assertRaises((ATT_Error, ProtocolError)):
            await location.write_value(b"\x02", with_response=True)
        self.assertEqual(await location.read_value(), b"\x01")

    async def test_every_logged_value_arrives_in_order_while_the_server_answers(self) -> None:
        lab = self.lab("flood=20000")
        connection = await lab.connect()
        await lab.subscribe(connection)
        location = await lab.find(connection, 0x2A38)
        self.assertEqual(await location.read_value(), b"\x01")
        await lab.wait(lambda: len(lab.values) > 2000)
        await lab.do("silence", on=True)
        await asyncio.sleep(0.1)
        self.assertEqual([line["hex"] for line in lab.logged() if "hex" in line], [value.hex() for value in lab.values])

    async def test_nothing_is_sent_before_the_subscription_or_after_its_end(self) -> None:
        lab = self.lab()
        connection = await lab.connect()
        await asyncio.sleep(0.05)
        self.assertFalse((await lab.do("notify", hex="0648"))["ok"])
        self.assertEqual(lab.strap.sent, 0)
        await lab.subscribe(connection)
        await lab.wait(lambda: lab.values)
        await connection.disconnect()
        await lab.wait(lambda: lab.strap.advertising)
        sent = lab.strap.sent
        connection = await lab.connect_again()
        await asyncio.sleep(0.05)
        self.assertEqual(lab.strap.sent, sent)

    async def test_the_first_value_can_come_before_the_answer(self) -> None:
        for behaviours, expected in (([], 0), (["notify-before-response"], 1)):
            lab = self.lab(*behaviours, hz=0)
            connection = await lab.connect()
            await lab.subscribe(connection)
            with self.subTest(expected):
                self.assertEqual(lab.strap.sent, expected)

    async def test_a_bond_that_is_required_is_asked_for(self) -> None:
        lab = self.lab("require-bonding")
        connection = await lab.connect()
        with self.assertRaises((ATT_Error, ProtocolError)) as caught:
            await lab.subscribe(connection)
        self.assertEqual(caught.exception.error_code, 0x05)
        await connection.pair()
        await lab.subscribe(connection)
        await lab.wait(lambda: lab.values)
        self.assertTrue((await lab.do("state"))["straps"][0]["bonded"])

    async def test_a_bonded_subscription_is_remembered_until_it_is_forgotten(self) -> None:
        lab = self.lab("require-bonding")
        connection = await lab.connect()
        await connection.pair()
        await lab.subscribe(connection)
        await connection.disconnect()
        await lab.wait(lambda: lab.strap.advertising)
        connection = await lab.connect_again()
        before = lab.strap.sent
        await connection.encrypt()
        await lab.wait(lambda: lab.strap.sent > before)
        await lab.do("forget")
        self.assertFalse((await lab.do("state"))["straps"][0]["bonded"])

    async def test_a_vanished_strap_is_lost_on_both_sides_and_silent_until_it_returns(self) -> None:
        lab = self.lab()
        connection = await lab.connect()
        await lab.subscribe(connection)
        await lab.wait(lambda: lab.values)
        await lab.do("vanish", after=1.0)
        await asyncio.sleep(0.03)
        received = len(lab.values)
        self.assertEqual(lab.reasons, [])
        await lab.wait(lambda: lab.reasons)
        self.assertEqual(lab.reasons, [hci.HCI_CONNECTION_TIMEOUT_ERROR])
        self.assertEqual(len(lab.values), received)
        lost = [line for line in lab.logged() if line.get("event") == "disconnected"]
        self.assertEqual([line["reason"] for line in lost], [8])
        self.assertFalse(lab.strap.advertising)
        await lab.do("return")
        self.assertTrue(lab.strap.advertising)
        await lab.connect_again()

    async def test_a_short_fade_keeps_the_link(self) -> None:
        lab = self.lab()
        await lab.subscribe(await lab.connect())
        await lab.do("vanish", after=0.2)
        await lab.do("return")
        await asyncio.sleep(0.3)
        self.assertEqual(lab.reasons, [])
        self.assertTrue(lab.strap.sender.running)

    async def test_a_drop_has_its_reason(self) -> None:
        lab = self.lab()
        await lab.connect()
        self.assertTrue((await lab.do("drop", reason=0x15))["ok"])
        await lab.wait(lambda: lab.reasons)
        self.assertEqual(lab.reasons, [0x15])
        self.assertEqual((await lab.do("drop"))["error"], "Nobody is connected to the strap.")

    async def test_a_resolvable_address_changes_with_every_start(self) -> None:
        lab = self.lab("random-resolvable")
        await lab.strap.start()
        addresses = []
        for _ in range(3):
            addresses.append(lab.strap.device.random_address)
            await lab.do("advertise", on=False)
            await lab.do("advertise", on=True)
        self.assertEqual(len({str(address) for address in addresses}), 3)
        self.assertTrue(all(address.is_resolvable for address in addresses))
        self.assertEqual(lab.strap.state()["identity"], STRAP)

    async def test_requests_that_make_no_sense_are_answered(self) -> None:
        lab = self.lab()
        lines = (
            b"x", b"[]", b'{"do":"fly"}', b'{"do":"drop","strap":1}', b'{"do":"rate"}', b'{"do":"rate","hz":-1}',
            b'{"do":"battery","percent":101}', b'{"do":"state","more":1}', b'{"do":"notify","hex":"0"}',
            b'{"do":"adapter","index":0,"present":true}', b'{"do":"pairing","io":"nose"}',
        )
        for line in lines:
            with self.subTest(line):
                answer = await lab.commands.answer(line)
                self.assertFalse(answer["ok"])
                self.assertTrue(answer["error"].endswith("."))

    async def test_a_burst_is_counted(self) -> None:
        lab = self.lab(hz=0)
        await lab.subscribe(await lab.connect())
        await lab.do("play", count=50, hz=2000)
        await lab.wait(lambda: len(lab.values) == 50)
        await asyncio.sleep(0.05)
        self.assertEqual(len(lab.values), 50)
        self.assertIn("subscribed", lab.events())


if __name__ == "__main__":
    unittest.main()
