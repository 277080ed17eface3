"""What a strap says about itself before anyone has connected."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from bumble.core import AdvertisingData

from virtual_strap.services import APPEARANCE, BATTERY, HEART_RATE

CAPACITY = 31
INTERVAL_MS = 100.0
GENERAL_DISCOVERABLE_WITHOUT_BR_EDR = 0x06


@dataclass(frozen=True)
class Announcement:
    """Advertising data and scan response; the name is in the latter if it does not fit into the former."""

    data: bytes
    scan_response: bytes


def announcement(name: str) -> Announcement:
    fields = [
        (AdvertisingData.FLAGS, bytes([GENERAL_DISCOVERABLE_WITHOUT_BR_EDR])),
        (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, struct.pack("<HH", HEART_RATE, BATTERY)),
        (AdvertisingData.APPEARANCE, struct.pack("<H", int(APPEARANCE))),
    ]
    title = (AdvertisingData.COMPLETE_LOCAL_NAME, name.encode())
    data = bytes(AdvertisingData([*fields, title]))
    if len(data) <= CAPACITY:
        return Announcement(data, b"")
    return Announcement(bytes(AdvertisingData(fields)), bytes(AdvertisingData([title])))
