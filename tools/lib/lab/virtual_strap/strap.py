"""One strap: a bumble device that advertises, is connected to, is subscribed to, and does as it is told."""

from __future__ import annotations

import asyncio
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bumble import att, hci
from bumble.core import ConnectionParameterUpdateError
from bumble.device import Connection, Device
from bumble.keys import MemoryKeyStore

from virtual_strap.advertising import INTERVAL_MS, announcement
from virtual_strap.backlog import Backlog
from virtual_strap.behaviours import Behaviours, ConnectionParameters
from virtual_strap.journal import Journal
from virtual_strap.pace import Pace
from virtual_strap.pairing import PairingPolicy, pairing_config
from virtual_strap.reach import Reach
from virtual_strap.sender import Sender
from virtual_strap.services import Subscription, make_services
from virtual_strap.sources import Body, Spoiled, open_source
from virtual_strap.streams import Streams

ATT_CHANNEL = 4
HANDLE_VALUE_NOTIFICATION, HANDLE_VALUE_INDICATION = 0x1B, 0x1D
NOTIFICATION_HEADER = 3
PARAMETERS_ASKED_AFTER = 1.0
PARAMETERS_DEADLINE = 10.0
# Values that wait for a real controller; a virtual one takes each at once.
LONGEST_QUEUE = 16
# A strap that floods looks after so many values whether they are read.
LOOK_EVERY = 8


class StrapError(Exception):
    """A strap cannot execute a command; the text is a sentence."""


@dataclass(frozen=True)
class StrapSettings:
    """The initial settings of a strap; the control socket changes them later."""

    index: int
    name: str
    play: str
    hz: float | None
    behaviours: Behaviours


class Strap:
    """A strap, which owns its device. `reach` is None on a real controller, which cannot be moved out of range."""

    def __init__(self, settings: StrapSettings, device: Device, journal: Journal, reach: Reach | None = None) -> None:
        self.index, self.name = settings.index, settings.name
        self.device, self.reach = device, reach
        self.behaviours = settings.behaviours
        self.policy = _policy(settings.behaviours)
        self.body = Body()
        self.battery_percent = 93
        self.connection: Connection | None = None
        self.connections = self.sent = 0
        self.advertising = self.silent = False
        self._wants_to_advertise = True
        self._journal = journal
        self._keys = MemoryKeyStore()
        self._subscriptions_of_peers: dict[str, tuple[bool, bool]] = {}
        self._timers: list[asyncio.TimerHandle] = []
        self._advertising_turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        pace = Pace(settings.behaviours.flood if settings.behaviours.flood is not None else settings.hz)
        self.sender = Sender(self._open(settings.play), pace, self._send_next, self._congested)
        self._backlog = Backlog() if settings.behaviours.flood is not None and reach is not None else None
        measurement = Subscription(self._measurement_subscribed, self._allow)
        battery = Subscription(self._battery_subscribed, _allow_everybody)
        serial = f"VS-{self.index + 1:04d}"
        self._gatt = make_services(
            self.name, serial, lambda: self.battery_percent, self._reset_energy, measurement, battery)
        self._streams: Streams | None = None
        if settings.behaviours.measurements:
            self._streams = Streams(self._send_measurement, lambda: self.connection, self._event)
            self._gatt.services.append(self._streams.service)

    async def start(self) -> None:
        self.device.keystore = self._keys
        self.device.pairing_config_factory = lambda _: pairing_config(self.policy, self._passkey_displayed)
        self.device.add_services(self._gatt.services)
        self.device.on("connection", self._connected)
        await self.device.power_on()
        await self._update_advertising()

    # What it is told

    def state(self) -> dict[str, Any]:
        return {
            "index": self.index,
            "name": self.name,
            "address": self.device.random_address.to_string(False),
            "identity": self.device.static_address.to_string(False),
            "advertising": self.advertising,
            "in_range": self._in_range(),
            "connected": self.connection is not None,
            "encrypted": self.connection is not None and self.connection.is_encrypted,
            "bonded": bool(self._keys.all_keys),
            "subscribed": self._gatt.measurement_subscription.enabled,
            "sent": self.sent,
            "connections": self.connections,
        }

    async def drop(self, reason: int) -> None:
        connection = self._connected_or_fail()
        # What is handed over after this would not be on the air any more.
        self.sender.stop()
        await connection.disconnect(reason)

    async def vanish(self, after: float | None) -> None:
        """Moves out of range. `after` None: the supervision timeout of the link."""
        reach = self._reach_or_fail()
        self.sender.stop()
        reach.leave(after)
        self._event("vanished")
        await self._update_advertising()

    async def come_back(self) -> None:
        self._reach_or_fail().come_back()
        self._event("returned")
        self._update_sender()
        await self._update_advertising()

    async def advertise(self, on: bool) -> None:
        self._wants_to_advertise = on
        await self._update_advertising()

    def silence(self, on: bool) -> None:
        self.silent = on
        self._update_sender()

    def play(self, name: str) -> None:
        self.sender.source = self._open(name)
        self.sender.pace_changed()

    def notify(self, value: bytes) -> None:
        """Notifies a value unchanged."""
        connection = self._connected_or_fail()
        if not self._gatt.measurement_subscription.enabled:
            raise StrapError("Nobody has subscribed to the strap's values.")
        if len(value) > connection.att_mtu - NOTIFICATION_HEADER:
            room = connection.att_mtu - NOTIFICATION_HEADER
            raise StrapError(f"The value is longer than the {room} bytes that the link takes.")
        if not self._in_range():
            raise StrapError("The strap is out of range.")
        self._send(value)

    def set_battery(self, percent: int) -> None:
        self.battery_percent = percent
        if self.connection is not None and self._gatt.battery_subscription.enabled:
            self._notify(self.connection, self._gatt.battery.handle, bytes([percent]))

    async def forget(self) -> None:
        await self._keys.delete_all()
        self._subscriptions_of_peers.clear()

    async def ask_parameters(self, wanted: ConnectionParameters) -> bool:
        """Requests connection parameters by L2CAP, as straps do. Returns whether the central accepts them."""
        connection = self._connected_or_fail()
        asking = self.device.update_connection_parameters(
            connection, wanted.minimum_ms, wanted.maximum_ms, wanted.latency, wanted.timeout_ms, use_l2cap=True
        )
        try:
            await asyncio.wait_for(connection.cancel_on_disconnection(asking), PARAMETERS_DEADLINE)
            accepted = True
        except ConnectionParameterUpdateError:
            accepted = False
        except (TimeoutError, asyncio.CancelledError):
            raise StrapError("The central did not answer the request for connection parameters.") from None
        finally:
            # Bumble keeps the request of a link that has ended, and refuses the next one.
            self.device.l2cap_channel_manager.connection_parameters_update_response = None
        self._event("parameters", accepted=accepted)
        if not accepted and self.behaviours.drop_on_rejected_parameters is not None:
            reason = hci.HCI_ErrorCode.UNACCEPTABLE_CONNECTION_PARAMETERS_ERROR
            self._later(self.behaviours.drop_on_rejected_parameters, self._drop_soon, reason)
        return accepted

    # What happens to it

    def _connected(self, connection: Connection) -> None:
        self.connection, self.advertising = connection, False
        self.connections += 1
        self._event("connected", peer=str(connection.peer_address))
        connection.on("disconnection", self._disconnected)
        connection.on("connection_encryption_change", self._encryption_changed)
        connection.on(
            "pairing", lambda keys: self._event("paired", protected=bool(keys.ltk and keys.ltk.authenticated)))
        connection.on("pairing_failure", lambda reason: self._event("pairing_failed", reason=int(reason)))
        if self.behaviours.drop_after is not None:
            self._later(self.behaviours.drop_after, self._drop_soon, hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        if (wanted := self.behaviours.ask_parameters) is not None:
            self._later(PARAMETERS_ASKED_AFTER, lambda: self._spawn(self.ask_parameters(wanted)))

    def _disconnected(self, reason: int) -> None:
        connection = self.connection
        assert connection is not None
        peer = str(connection.peer_address)
        subscriptions = (self._gatt.measurement_subscription, self._gatt.battery_subscription)
        if peer in self._keys.all_keys:
            self._subscriptions_of_peers[peer] = (subscriptions[0].enabled, subscriptions[1].enabled)
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self.sender.stop()
        self.connection = None
        for subscription in subscriptions:
            subscription.enabled = False
        if self._streams is not None:
            self._streams.disconnected()
        self._event("disconnected", reason=int(reason))
        self._spawn(self._update_advertising())

    def _encryption_changed(self) -> None:
        connection = self.connection
        if connection is None or not connection.is_encrypted:
            return
        self._event("encrypted")
        measurement, battery = self._subscriptions_of_peers.get(str(connection.peer_address), (False, False))
        if measurement:
            self._gatt.measurement_subscription.set(True)
        if battery:
            self._gatt.battery_subscription.set(True)

    def _allow(self, connection: Connection) -> None:
        """Raises the error of a strap that requires a bond: 0x05 without one, 0x0f with one that is not in use yet."""
        if not self.policy.require:
            return
        key = self._keys.all_keys.get(str(connection.peer_address))
        if not connection.is_encrypted:
            raise att.ATT_Error(
                att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR if key is None else att.ATT_INSUFFICIENT_ENCRYPTION_ERROR)
        if self.policy.protected and key is not None and key.ltk is not None and not key.ltk.authenticated:
            raise att.ATT_Error(att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR)

    def _measurement_subscribed(self, enabled: bool) -> None:
        self._event("subscribed" if enabled else "unsubscribed")
        if enabled and self.behaviours.notify_before_response:
            self._send_next(self.sender.source.take())
        if enabled and self.behaviours.silent_after is not None:
            self._later(self.behaviours.silent_after, self.sender.stop)
        self._update_sender()

    def _battery_subscribed(self, enabled: bool) -> None:
        self._event("battery_subscribed" if enabled else "battery_unsubscribed")

    def _reset_energy(self) -> None:
        self.body.energy = 0
        self._event("energy_reset")

    def _passkey_displayed(self, number: int) -> None:
        self._event("passkey", passkey=f"{number:06d}")

    # Sending

    def _send_next(self, value: bytes) -> None:
        connection = self.connection
        if connection is not None:
            if seconds := self.sender.source.unsent:
                self._event("left_out", seconds=round(seconds, 3))
            self._send(value[: connection.att_mtu - NOTIFICATION_HEADER])

    def _send(self, value: bytes) -> None:
        assert self.connection is not None
        self._journal.value(self.index, self.connections, self.sent, value)
        self.sent += 1
        self._notify(self.connection, self._gatt.measurement.handle, value)

    def _send_measurement(self, handle: int, value: bytes, is_indication: bool) -> bool:
        """Returns whether the value was sent."""
        if self.connection is None or not self._in_range():
            return False
        self._notify(self.connection, handle, value, HANDLE_VALUE_INDICATION if is_indication else HANDLE_VALUE_NOTIFICATION)
        return True

    def _notify(
        self, connection: Connection, handle: int, value: bytes, opcode: int = HANDLE_VALUE_NOTIFICATION
    ) -> None:
        """Sends the whole L2CAP frame at once; bumble creates five objects for it."""
        header = struct.pack("<HHBH", NOTIFICATION_HEADER + len(value), ATT_CHANNEL, opcode, handle)
        self.device.host.send_acl_sdu(connection.handle, header + value)

    def _congested(self) -> bool:
        if self.connection is None:
            return False
        if self._backlog is not None and self.sent % LOOK_EVERY == 0 and self._backlog.is_long():
            return True
        queue = self.device.host.get_data_packet_queue(self.connection.handle)
        return queue is not None and queue.pending > LONGEST_QUEUE

    def _update_sender(self) -> None:
        if self._gatt.measurement_subscription.enabled and not self.silent and self._in_range():
            self.sender.start()
        else:
            self.sender.stop()

    # Advertising

    async def _update_advertising(self) -> None:
        async with self._advertising_turn:
            wanted = self._wants_to_advertise and self.connection is None and self._in_range()
            if wanted == self.advertising:
                return
            if wanted:
                if self.behaviours.random_resolvable:
                    await self._change_address()
                says = announcement(self.name)
                await self.device.start_advertising(
                    own_address_type=hci.OwnAddressType.RANDOM, advertising_data=says.data,
                    scan_response_data=says.scan_response, advertising_interval_min=INTERVAL_MS,
                    advertising_interval_max=INTERVAL_MS)
            else:
                await self.device.stop_advertising()
            self.advertising = wanted and self.connection is None
            self._event("advertising", on=wanted, address=self.device.random_address.to_string(False))

    async def _change_address(self) -> None:
        """Changes the address; bumble's update_rpa sets the previous one."""
        address = hci.Address.generate_private_address(self.device.irk)
        await self.device.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=address))
        self.device.random_address = address

    # Helpers

    def _open(self, name: str) -> Spoiled:
        return Spoiled(open_source(name, self.body, self.index), self.behaviours.spoilers())

    def _in_range(self) -> bool:
        return self.reach is None or self.reach.in_range

    def _connected_or_fail(self) -> Connection:
        if self.connection is None:
            raise StrapError("Nobody is connected to the strap.")
        return self.connection

    def _reach_or_fail(self) -> Reach:
        if self.reach is None:
            raise StrapError("A strap on a real controller cannot leave its range: walk away with it.")
        return self.reach

    def _drop_soon(self, reason: int) -> None:
        self._spawn(self.drop(reason))

    def _later(self, seconds: float, call: Any, *arguments: Any) -> None:
        self._timers.append(asyncio.get_running_loop().call_later(seconds, call, *arguments))

    def _spawn(self, work: Any) -> None:
        async def quietly() -> None:
            with suppress(StrapError):
                await work

        task = asyncio.get_running_loop().create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _event(self, event: str, **facts: Any) -> None:
        self._journal.event(event, strap=self.index, connection=self.connections, **facts)


def _allow_everybody(_connection: Connection) -> None:
    """Allows reading; straps that require a bond for the heart rate reveal the battery level to all."""


def _policy(behaviours: Behaviours) -> PairingPolicy:
    io = behaviours.io or ("none" if behaviours.passkey is None else "display")
    return PairingPolicy(io, behaviours.passkey, behaviours.require_bonding)
