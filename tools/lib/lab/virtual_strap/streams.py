"""The measurement streams of a Polar strap: its service, and frames of acceleration of somebody who lies still."""

from __future__ import annotations

import asyncio
import struct
from typing import Any, Callable

from bumble import att
from bumble.core import UUID
from bumble.device import Connection
from bumble.gatt import Characteristic, Service

from virtual_strap.services import INDICATIONS, Subscription

# Polar Measurement Data Specification for 3rd Party.
SERVICE = UUID("FB005C80-02E7-F387-1CAD-8ACD2D8DF0C8")
CONTROL_POINT = UUID("FB005C81-02E7-F387-1CAD-8ACD2D8DF0C8")
DATA = UUID("FB005C82-02E7-F387-1CAD-8ACD2D8DF0C8")
ECG, ACCELERATION = 0, 2
FEATURES = bytes([0x0F, 1 << ECG | 1 << ACCELERATION, *bytes(15)])
GET_SETTINGS, START, STOP = 1, 2, 3
SETTINGS = {
    ECG: bytes.fromhex("00018200 01010e00".replace(" ", "")),
    ACCELERATION: bytes.fromhex("0004 1900 3200 6400 c800 0101 1000 0203 0200 0400 0800".replace(" ", "")),
}
RESPONSE = 0xF0
SUCCESS, INVALID_OPERATION, INVALID_MEASUREMENT, INVALID_LENGTH, ALREADY, INVALID_MTU = 0, 1, 2, 4, 6, 10
FACTOR_OF_ONE = bytes([5, 1]) + struct.pack("<f", 1)
CCC_IMPROPERLY_CONFIGURED = 0xFD
LEAST_MTU = 232
SAMPLES, RATE = 36, 25
FRAME_SECONDS = SAMPLES / RATE
# The clock of the strap, in ns since 2000.
CLOCK_START = 850_000_000_000_000_000
# An indication leaves after the response to the write that caused it.
AFTER_RESPONSE = 0.01


class Streams:
    """The streams of one strap. `send` notifies or indicates a value on a handle, `event` writes to the journal."""

    def __init__(
        self, send: Callable[[int, bytes, bool], bool], connection: Callable[[], Connection | None],
        event: Callable[..., None],
    ) -> None:
        self.running: set[int] = set()
        self._send, self._connection, self._event = send, connection, event
        self._number = 0
        self._task: asyncio.Task[Any] | None = None
        self._indications = Subscription(lambda _: None, lambda _: None, INDICATIONS)
        self._notifications = Subscription(lambda _: None, lambda _: None)
        properties = Characteristic.Properties
        self._control = Characteristic(
            CONTROL_POINT, properties.READ | properties.WRITE | properties.INDICATE,
            Characteristic.READABLE | Characteristic.WRITEABLE,
            att.AttributeValueV2(read=lambda _: FEATURES, write=self._write), [self._indications.descriptor()])
        self._data = Characteristic(
            DATA, properties.NOTIFY, Characteristic.Permissions(0), att.AttributeValueV2(read=lambda _: b""),
            [self._notifications.descriptor()])
        self.service = Service(SERVICE, [self._control, self._data])

    def disconnected(self) -> None:
        """Ends all streams with the link."""
        self.running.clear()
        self._indications.enabled = self._notifications.enabled = False
        self._update()

    def _write(self, _bearer: att.Bearer, value: bytes) -> None:
        if not self._indications.enabled:
            raise att.ATT_Error(CCC_IMPROPERLY_CONFIGURED)
        answer = self._answer(value)
        handle = self._control.handle
        asyncio.get_running_loop().call_later(AFTER_RESPONSE, lambda: self._send(handle, answer, True))

    def _answer(self, request: bytes) -> bytes:
        if len(request) < 2:
            return bytes([RESPONSE, *request[:1], 0, INVALID_LENGTH])
        operation, measurement = request[0], request[1]
        status, parameters = self._execute(operation, measurement)
        return bytes([RESPONSE, operation, measurement, status, 0]) + parameters

    def _execute(self, operation: int, measurement: int) -> tuple[int, bytes]:
        if measurement not in SETTINGS:
            return INVALID_MEASUREMENT, b""
        if operation == GET_SETTINGS:
            return SUCCESS, SETTINGS[measurement]
        if operation == START:
            connection = self._connection()
            if connection is None or connection.att_mtu < LEAST_MTU:
                return INVALID_MTU, b""
            if measurement in self.running:
                return ALREADY, b""
            self.running.add(measurement)
            self._event("stream_started", measurement=measurement)
            self._update()
            return SUCCESS, FACTOR_OF_ONE if measurement == ACCELERATION else b""
        if operation == STOP:
            self._event("stream_stopped", measurement=measurement, was_running=measurement in self.running)
            if measurement not in self.running:
                return ALREADY, b""
            self.running.discard(measurement)
            self._update()
            return SUCCESS, b""
        return INVALID_OPERATION, b""

    def _update(self) -> None:
        wanted = ACCELERATION in self.running
        if wanted and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())
        elif not wanted and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(FRAME_SECONDS)
            self._number += 1
            if not self._notifications.enabled:
                continue
            frame = self._frame(self._number)
            if self._send(self._data.handle, frame, False):
                self._event("frame", n=self._number, hex=frame.hex())

    @staticmethod
    def _frame(number: int) -> bytes:
        """Returns a frame whose first axis has the number of the frame."""
        time = CLOCK_START + round(number * FRAME_SECONDS * 1_000_000_000)
        samples = b"".join(struct.pack("<hhh", number % 1000, place, 1000) for place in range(SAMPLES))
        return struct.pack("<BQB", ACCELERATION, time, 1) + samples
