"""How fast a strap sends: at the source's own timing, at a fixed rate, or a burst of values and then another rate."""

from __future__ import annotations

from dataclasses import dataclass

# For sources without a timing of their own: what real straps do.
DEFAULT_INTERVAL = 1.0


@dataclass
class Pace:
    """`hz` None: the source's own timing; 0: no values."""

    hz: float | None = None
    burst_left: int = 0
    burst_then: float | None = None

    def set_rate(self, hz: float | None) -> None:
        """From now on, and the end of a burst that is under way."""
        self.hz, self.burst_left = hz, 0

    def set_burst(self, count: int, hz: float, then: float | None) -> None:
        """`count` values at `hz`, then the rate `then`."""
        self.hz, self.burst_left, self.burst_then = hz, count, then

    @property
    def usual_hz(self) -> float | None:
        """The rate apart from bursts."""
        return self.burst_then if self.burst_left else self.hz

    def interval(self, own: float | None) -> float | None:
        """Seconds to the next value; None: there is none until the pace changes."""
        if self.hz is None:
            return DEFAULT_INTERVAL if own is None else own
        return 1.0 / self.hz if self.hz > 0 else None

    def sent(self) -> None:
        """Counts a value down that was sent."""
        if self.burst_left:
            self.burst_left -= 1
            if self.burst_left == 0:
                self.hz = self.burst_then
