"""A controller of the kernel's own: /dev/vhci, one file descriptor an adapter."""

from __future__ import annotations

import asyncio
import errno
import os
from pathlib import Path

from bumble.transport.common import PacketParser, TransportSink

DEVICE = Path("/dev/vhci")
VENDOR_PACKET = 0xFF
PRIMARY_CONTROLLER = 0x00
# A packet for an adapter that is down (powered off, blocked by rfkill): the kernel refuses it, the adapter lives on.
ADAPTER_IS_DOWN = (errno.ENXIO, errno.ENODEV)
READ_SIZE = 4096


class VirtualAdapter:
    """The sink of a controller's packets to the kernel, and the source of the kernel's packets. Closing it unplugs
    the adapter. Bumble's vhci transport is not used, because it closes permanently at the first packet for an
    adapter that is down."""

    def __init__(self, device: Path = DEVICE) -> None:
        self.parser = PacketParser()
        self.kernel_index: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._file = os.open(device, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        asyncio.get_running_loop().add_reader(self._file, self._read)
        os.write(self._file, bytes([VENDOR_PACKET, PRIMARY_CONTROLLER]))

    def set_packet_sink(self, sink: TransportSink) -> None:
        self.parser.set_packet_sink(sink)

    def on_packet(self, packet: bytes) -> None:
        if self._file < 0:
            return
        try:
            os.write(self._file, packet)
        except OSError as error:
            if error.errno not in ADAPTER_IS_DOWN:
                raise

    def close(self) -> None:
        if self._file >= 0:
            asyncio.get_running_loop().remove_reader(self._file)
            os.close(self._file)
            self._file = -1

    def _read(self) -> None:
        try:
            data = os.read(self._file, READ_SIZE)
        except BlockingIOError:
            return
        if data[:1] == bytes([VENDOR_PACKET]):
            if len(data) >= 4 and not self.kernel_index.done():
                self.kernel_index.set_result(data[2] | data[3] << 8)
        elif data:
            self.parser.feed_data(data)
