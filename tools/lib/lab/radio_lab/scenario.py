"""What a scenario is: a name, a sentence, a time limit, and a body that runs inside a guest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radio_lab.guest.expectations import Expectations
    from radio_lab.guest.lab import Lab


@dataclass
class Measurements:
    """The measurements of a scenario, for the table of reliability."""

    # Seconds of the guest's clock from the end of a fault to the first stored notification, by fault.
    recoveries: dict[str, list[float]] = field(default_factory=dict)
    # Values that straps handed to a link that was up, and what became of them.
    sent: int = 0
    lost: int = 0
    doubled: int = 0
    figures: dict[str, float] = field(default_factory=dict)
    # What the daemon answered and signalled, in words, by DaemonFact.
    facts: dict[str, str] = field(default_factory=dict)

    def recovery(self, fault: str, seconds: float) -> None:
        """Adds a recovery."""
        self.recoveries.setdefault(fault, []).append(round(seconds, 3))


@dataclass(frozen=True)
class Trial:
    """The arguments of the body of a scenario."""

    lab: "Lab"
    expect: "Expectations"
    measure: Measurements


@dataclass(frozen=True)
class Cuts:
    """A series of power cuts: the numbers in the short and the full form, and the latest time in seconds after the
    first notification, so that cuts happen before, during and after commits."""

    short: int
    full: int
    latest: float

    def count(self, is_short: bool) -> int:
        """Returns the number of cuts in this form of the run."""
        return self.short if is_short else self.full


@dataclass(frozen=True)
class Scenario:
    """A named test. `seconds` is its time limit inside the guest, `short_seconds` that of its short form; without the
    latter it is not part of the short run."""

    name: str
    sentence: str
    body: Callable[[Trial], None]
    seconds: float
    short_seconds: float | None = None
    straps: tuple[str, ...] = ()
    # Whether the bus, bluetoothd and the straps are brought up before the body runs.
    is_brought_up: bool = True
    # Whether btmon captures everything from the beginning and bluetoothd tells details, which both take time.
    is_watched: bool = True
    # With power cuts the body runs once a boot, on the same disk.
    cuts: Cuts | None = None

    def limit(self, short: bool) -> float:
        """Returns its time limit in this form of the run."""
        return self.short_seconds if short and self.short_seconds is not None else self.seconds
