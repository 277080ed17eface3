"""Values as a faulty strap sends them. Every second one is spoiled, so that good ones show what is thrown away."""

from __future__ import annotations

from typing import Callable

from virtual_strap.measurement import ENERGY_PRESENT, RR_PRESENT, WIDE_RATE

Spoiler = Callable[[bytes], bytes]


def equal_payloads() -> Spoiler:
    """Repeats the first value: equal notifications that must all be counted."""
    first: list[bytes] = []

    def spoil(value: bytes) -> bytes:
        if not first:
            first.append(value)
        return first[0]

    return spoil


def odd_length() -> Spoiler:
    """Truncates every second value in the middle of an RR interval."""
    count = 0

    def spoil(value: bytes) -> bytes:
        nonlocal count
        count += 1
        if count % 2:
            return value
        return bytes([value[0] | RR_PRESENT]) + value[1:] + b"\x03"

    return spoil


def wrong_flags() -> Spoiler:
    """Sets flags of missing fields in every second value: in turn energy, a 16-bit rate, and both of them."""
    claims = (ENERGY_PRESENT, WIDE_RATE, ENERGY_PRESENT | WIDE_RATE)
    count = 0

    def spoil(value: bytes) -> bytes:
        nonlocal count
        count += 1
        if count % 2:
            return value
        return bytes([claims[count // 2 % len(claims)], value[1]])

    return spoil
