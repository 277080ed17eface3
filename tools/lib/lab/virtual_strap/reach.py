"""A strap's place on the virtual radio: near, or gone."""

from __future__ import annotations

from dataclasses import dataclass

from virtual_strap.controllers import VirtualController
from virtual_strap.radio import Radio


@dataclass(frozen=True)
class Reach:
    """Moves a controller out of range and back."""

    radio: Radio
    controller: VirtualController

    @property
    def in_range(self) -> bool:
        return self.radio.in_range(self.controller)

    def leave(self, after: float | None) -> None:
        """Moves it out of range. Links are lost after `after` seconds; None: after their supervision timeout."""
        self.radio.leave(self.controller, self.radio.supervision_timeout(self.controller) if after is None else after)

    def come_back(self) -> None:
        self.radio.come_back(self.controller)
