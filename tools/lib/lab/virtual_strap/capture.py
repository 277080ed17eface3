"""The heart-rate notifications of a btsnoop capture, with their own timing.

Reads btsnoop with datalink 1002 (HCI UART) and 2001 (btmon), and as much HCI, L2CAP and ATT as that takes.

Which attribute handle is the Heart Rate Measurement is decided so: where the capture has a Read By Type Response that
declares a handle as 0x2A37, the notifications of that handle on that connection handle are played, those of several
such in the order of time. Where there is none (a bonded strap is not discovered again), it is the handle with the most
notifications that decode as Heart Rate Measurements without exception, and the lower one of two equals.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

from virtual_strap.measurement import CONTACT_SUPPORTED, ENERGY_PRESENT, RR_PRESENT, WIDE_RATE
from virtual_strap.script import PlayError, TimedValue

MAGIC = b"btsnoop\0"
HCI_UART, BTMON = 1002, 2001
BTMON_ACL_RECEIVED = 5
UART_ACL = 0x02
FLAG_RECEIVED = 0x01
ATT_CID = 4
READ_BY_TYPE_RESPONSE, NOTIFICATION = 0x09, 0x1B
HEART_RATE_MEASUREMENT = 0x2A37


@dataclass(frozen=True)
class AttPdu:
    """An ATT PDU that the host received, with its time and link."""

    seconds: float
    link: tuple[int, int]
    data: bytes


def read_capture(path: Path) -> list[TimedValue]:
    """Returns the capture's Heart Rate Measurement values; the first is due at once when the file is played."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PlayError(f"{path} cannot be read: {error.strerror}.") from error
    pdus = list(_att_pdus(content, path))
    announced = {pair for pdu in pdus for pair in _announced_handles(pdu)}
    notified: dict[tuple[tuple[int, int], int], list[AttPdu]] = defaultdict(list)
    for pdu in pdus:
        if len(pdu.data) > 3 and pdu.data[0] == NOTIFICATION:
            notified[pdu.link, struct.unpack_from("<H", pdu.data, 1)[0]].append(pdu)
    chosen = [found for pair, found in notified.items() if pair in announced] or _plausible(notified)
    if not chosen:
        raise PlayError(f"{path} has no Heart Rate Measurement notifications to play.")
    values = sorted((pdu for found in chosen for pdu in found), key=lambda pdu: pdu.seconds)
    times = [values[0].seconds, *(pdu.seconds for pdu in values)]
    return [TimedValue(max(0.0, now - before), pdu.data[3:]) for before, now, pdu in zip(times, times[1:], values)]


def _plausible(notified: dict[tuple[tuple[int, int], int], list[AttPdu]]) -> list[list[AttPdu]]:
    candidates = [
        (len(found), -pair[1], found)
        for pair, found in notified.items()
        if all(looks_like_measurement(pdu.data[3:]) for pdu in found)
    ]
    return [max(candidates, key=lambda candidate: candidate[:2])[2]] if candidates else []


def looks_like_measurement(value: bytes) -> bool:
    """Returns whether the length matches the flags and the heart rate is plausible."""
    if len(value) < 2 or value[0] & 0xE0:
        return False
    flags = value[0]
    fixed = 2 + (1 if flags & WIDE_RATE else 0) + (2 if flags & ENERGY_PRESENT else 0)
    rest = len(value) - fixed
    if rest < 0 or rest % 2 or bool(rest) != bool(flags & RR_PRESENT):
        return False
    rate = struct.unpack_from("<H", value, 1)[0] if flags & WIDE_RATE else value[1]
    return rate <= 300 and (rate > 0 or bool(flags & CONTACT_SUPPORTED))


def _announced_handles(pdu: AttPdu) -> Iterator[tuple[tuple[int, int], int]]:
    """Returns value handles of 0x2A37 from characteristic declarations: handle, properties, value handle, 16-bit
    UUID."""
    data = pdu.data
    if len(data) < 2 or data[0] != READ_BY_TYPE_RESPONSE or data[1] != 7:
        return
    for offset in range(2, len(data) - 6, 7):
        _, _, value_handle, uuid = struct.unpack_from("<HBHH", data, offset)
        if uuid == HEART_RATE_MEASUREMENT:
            yield pdu.link, value_handle


def _att_pdus(content: bytes, path: Path) -> Iterator[AttPdu]:
    """Returns received ATT PDUs, reassembled from their fragments."""
    partial: dict[tuple[int, int], bytearray] = {}
    for seconds, adapter, packet in _received_acl(content, path):
        if len(packet) < 4:
            continue
        handle_and_flags, length = struct.unpack_from("<HH", packet)
        link, fragment = (adapter, handle_and_flags & 0x0FFF), packet[4 : 4 + length]
        if (handle_and_flags >> 12) & 3 == 1:
            if link in partial:
                partial[link] += fragment
        else:
            partial[link] = bytearray(fragment)
        frame = partial.get(link, b"")
        if len(frame) < 4:
            continue
        size, channel = struct.unpack_from("<HH", frame)
        if len(frame) >= 4 + size:
            del partial[link]
            if channel == ATT_CID:
                yield AttPdu(seconds, link, bytes(frame[4 : 4 + size]))


def _received_acl(content: bytes, path: Path) -> Iterator[tuple[float, int, bytes]]:
    """Returns time in seconds, adapter and bytes (without the packet type) of the ACL packets that the host received."""
    if len(content) < 16 or content[:8] != MAGIC:
        raise PlayError(f"{path} is not a btsnoop file.")
    datalink = struct.unpack_from(">I", content, 12)[0]
    if datalink not in (HCI_UART, BTMON):
        raise PlayError(f"{path} has btsnoop datalink {datalink}; only {HCI_UART} and {BTMON} can be played.")
    offset = 16
    while offset + 24 <= len(content):
        _, included, flags, _, microseconds = struct.unpack_from(">IIIIQ", content, offset)
        packet = content[offset + 24 : offset + 24 + included]
        offset += 24 + included
        if len(packet) < included:
            return
        if datalink == BTMON and flags & 0xFFFF == BTMON_ACL_RECEIVED:
            yield microseconds / 1e6, flags >> 16, packet
        elif datalink == HCI_UART and flags & FLAG_RECEIVED and packet[:1] == bytes([UART_ACL]):
            yield microseconds / 1e6, 0, packet[1:]
