"""What straps sent against what was kept: byte for byte, in order, nothing lost and nothing twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from radio_lab.guest.ledger import LedgerNotification
from radio_lab.guest.straps import StrapValue

# How long a value may be under way; longer, and an equal one that was sent later is meant.
PATIENCE_SECONDS = 10


@dataclass
class Comparison:
    """The comparison of sent and stored values. `lost`: sent while the link was up, and not stored. `excused`: sent
    while it was about to end. `doubled`: stored more than once. `invented`: stored, and never sent."""

    sent: int = 0
    kept: int = 0
    lost: list[StrapValue] = field(default_factory=list)
    excused: list[StrapValue] = field(default_factory=list)
    doubled: list[LedgerNotification] = field(default_factory=list)
    invented: list[LedgerNotification] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Returns whether every value that had to be stored is stored once."""
        return not (self.lost or self.doubled or self.invented)

    def text(self) -> str:
        """Returns the text for a failure."""
        first = [f"strap value {lost.number} of connection {lost.connection} ({lost.value})" for lost in self.lost[:3]]
        first += [f"ledger entry {entry.sequence} ({entry.value})" for entry in [*self.doubled, *self.invented][:3]]
        return (
            f"{self.sent} sent, {self.kept} kept, {len(self.lost)} lost, {len(self.doubled)} doubled, "
            f"{len(self.invented)} never sent; {len(self.excused)} sent into a link that was ending: {', '.join(first)}"
        )


def compare(
    sent: Sequence[StrapValue], kept: Sequence[LedgerNotification], excuses: Sequence[tuple[float, float]] = (),
) -> Comparison:
    """Compares both sequences. `excuses` are spans of time in which a link ended, so that values sent then may be
    lost."""
    result = Comparison(sent=len(sent), kept=len(kept))
    place = 0
    for entry in kept:
        found = _find(sent, place, entry)
        if found is None:
            is_double = place > 0 and sent[place - 1].value == entry.value
            (result.doubled if is_double else result.invented).append(entry)
            continue
        _pass_over(sent[place:found], excuses, result)
        place = found + 1
    _pass_over(sent[place:], excuses, result)
    return result


def _find(sent: Sequence[StrapValue], start: int, entry: LedgerNotification) -> int | None:
    for place in range(start, len(sent)):
        # The log is written beside the sending: it may be a little later than the arrival.
        if sent[place].time > entry.time + 0.5:
            return None
        if sent[place].value == entry.value and entry.time - sent[place].time < PATIENCE_SECONDS:
            return place
    return None


def _pass_over(values: Sequence[StrapValue], excuses: Sequence[tuple[float, float]], result: Comparison) -> None:
    for value in values:
        is_excused = any(start <= value.time <= end for start, end in excuses)
        (result.excused if is_excused else result.lost).append(value)
