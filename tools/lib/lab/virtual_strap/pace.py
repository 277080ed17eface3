"""How fast a strap sends: at the source's own timing, at a fixed rate, or a burst of values and then another rate."""

from __future__ import annotations

from dataclasses import dataclass

# For sources without a timing of their own: what real straps do.
DEFAULT_INTERVAL = 1.0


@dataclass
class Pace:
    """The rate of values. `hz` None: the source's timing; 0: no values."""

    hz: float | None = None
    burst_left: int = 0
    burst_then: float | None = None

    def set_rate(self, hz: float | None) -> None:
        """Sets the rate, and ends a running burst."""
        self.hz, self.burst_left = hz, 0

    def set_burst(self, count: int, hz: float, then: float | None) -> None:
        """Sets a burst of `count` values at `hz`, followed by the rate `then`."""
        self.hz, self.burst_left, self.burst_then = hz, count, then

    @property
    def usual_hz(self) -> float | None:
        """The rate outside bursts."""
        return self.burst_then if self.burst_left else self.hz

    def interval(self, own: float | None) -> float | None:
        """Returns the seconds to the next value; None: there is none until the rate changes."""
        if self.hz is None:
            return DEFAULT_INTERVAL if own is None else own
        return 1.0 / self.hz if self.hz > 0 else None

    def sent(self) -> None:
        """Counts a sent value."""
        if self.burst_left:
            self.burst_left -= 1
            if self.burst_left == 0:
                self.hz = self.burst_then
