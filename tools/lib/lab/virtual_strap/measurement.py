"""The Heart Rate Measurement value (characteristic 0x2A37): Heart Rate Service 1.0, section 3.1."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Iterator

WIDE_RATE = 0x01
CONTACT_DETECTED = 0x02
CONTACT_SUPPORTED = 0x04
ENERGY_PRESENT = 0x08
RR_PRESENT = 0x10

# The default ATT MTU of 23 leaves 20 bytes for a value: flags, rate and nine RR intervals at the most.
DEFAULT_CAPACITY = 20


@dataclass(frozen=True)
class Measurement:
    """A value in a strap's terms. RR intervals are in 1/1024 s, energy in kJ; `contact` None: not supported."""

    rate: int
    contact: bool | None = None
    energy: int | None = None
    rr_intervals: tuple[int, ...] = ()
    wide: bool = False

    def encoded(self) -> bytes:
        """Returns the bytes of the value; a rate above 255 needs the 16-bit form."""
        wide = self.wide or self.rate > 0xFF
        flags = WIDE_RATE if wide else 0
        if self.contact is not None:
            flags |= CONTACT_SUPPORTED | (CONTACT_DETECTED if self.contact else 0)
        body = struct.pack("<H" if wide else "<B", self.rate)
        if self.energy is not None:
            flags |= ENERGY_PRESENT
            body += struct.pack("<H", self.energy)
        if self.rr_intervals:
            flags |= RR_PRESENT
            body += struct.pack(f"<{len(self.rr_intervals)}H", *self.rr_intervals)
        return bytes([flags]) + body


def maximum_rr_intervals(*, wide: bool, energy: bool) -> int:
    """Returns the number of RR intervals that fit into a value with the default MTU."""
    return (DEFAULT_CAPACITY - 2 - (1 if wide else 0) - (2 if energy else 0)) // 2


def all_forms(rate: int = 72, energy: int = 100, rr: int = 853) -> Iterator[Measurement]:
    """Returns every combination of the flags, with each number of RR intervals that fits the default MTU."""
    for wide in (False, True):
        for contact in (None, False, True):
            for with_energy in (False, True):
                for count in range(maximum_rr_intervals(wide=wide, energy=with_energy) + 1):
                    rr_intervals = tuple(rr + index for index in range(count))
                    yield Measurement(rate, contact, energy if with_energy else None, rr_intervals, wide)
