"""What silences of a strap are to leave in a ledger. A value has room for nine beats at most: after a short silence the
first one brings all that was missed, and nothing is missing."""

from __future__ import annotations

from collections.abc import Sequence

from radio_lab.guest.expectations import Expectations
from radio_lab.guest.ledger import LedgerGap
from radio_lab.guest.straps import StrapEvent

# A gap reaches from beat to beat: it is as long as what was not sent, but for the part of an interval on either side.
INTERVAL_SECONDS = 60 / 45


def unsent_seconds(left_out: Sequence[StrapEvent], silences: Sequence[tuple[float, float]]) -> list[float]:
    """For each silence, from the last value before it to the first one after it, how many seconds of beats the strap has
    left out of its values, as it says."""
    return [
        sum(float(event.facts["seconds"]) for event in left_out if start <= event.time <= end)
        for start, end in silences
    ]


def expect_gaps(expect: Expectations, unsent: Sequence[float], gaps: Sequence[LedgerGap]) -> None:
    """A gap for each silence whose beats were not all sent, as long as those; none for the others."""
    missing = [seconds for seconds in unsent if seconds > 0]
    seen = [round(gap.end - gap.start, 3) for gap in gaps]
    what = f"gaps, of silences with {[round(seconds, 3) for seconds in unsent]} s of beats left out"
    if not expect.equal(what, len(seen), len(missing)):
        return
    for seconds, gap in zip(missing, seen):
        expect.at_most(f"seconds by which a gap of {gap} s is wrong", round(abs(gap - seconds), 3), INTERVAL_SECONDS)
