"""How a strap pairs: its buttons and displays, its passkey, and whether notifications need a bond."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from typing import Callable

from bumble.pairing import PairingConfig, PairingDelegate

IO_CAPABILITIES = {
    "none": PairingDelegate.NO_OUTPUT_NO_INPUT,
    "display": PairingDelegate.DISPLAY_OUTPUT_ONLY,
    "keyboard": PairingDelegate.KEYBOARD_INPUT_ONLY,
    "yesno": PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
}
# How long somebody may look for the keys of a strap with a keyboard.
TYPING_TIME = 30.0


@dataclass
class PairingPolicy:
    """The policy of pairing, read at the beginning of each pairing, so that a change applies to the next one."""

    io: str = "none"
    passkey: int | None = None
    require: bool = False

    @property
    def protected(self) -> bool:
        """Returns whether pairing protects against a man in the middle."""
        return self.io != "none"


class StrapDelegate(PairingDelegate):
    """Shows and types numbers."""

    def __init__(self, policy: PairingPolicy, displayed: Callable[[int], None]) -> None:
        super().__init__(io_capability=IO_CAPABILITIES[policy.io])
        self._policy = policy
        self._displayed = displayed

    async def generate_passkey(self) -> int:
        return secrets.randbelow(1_000_000) if self._policy.passkey is None else self._policy.passkey

    async def display_number(self, number: int, digits: int) -> None:
        self._displayed(number)

    async def compare_numbers(self, number: int, digits: int) -> bool:
        self._displayed(number)
        return True

    async def get_number(self) -> int | None:
        """Returns the number; a strap with keys and without a passkey waits for the number that the other side
        displays."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + TYPING_TIME
        while self._policy.passkey is None and loop.time() < deadline:
            await asyncio.sleep(0.05)
        return self._policy.passkey


def pairing_config(policy: PairingPolicy, displayed: Callable[[int], None]) -> PairingConfig:
    """Returns the configuration: bonding with LE Secure Connections; the identity is the strap's static random
    address."""
    return PairingConfig(
        sc=True,
        mitm=policy.protected,
        bonding=True,
        delegate=StrapDelegate(policy, displayed),
        identity_address_type=PairingConfig.AddressType.RANDOM,
    )
