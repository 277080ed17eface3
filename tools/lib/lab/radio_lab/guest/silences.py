"""What silences of a strap are to leave in a ledger. A value has room for nine beats at most: after a short silence the
first one brings all that was missed, and nothing is missing."""

from __future__ import annotations

from collections.abc import Sequence

from radio_lab.guest.expectations import Expectations
from radio_lab.guest.ledger import LedgerGap
from radio_lab.guest.straps import StrapEvent

# A gap reaches from beat to beat: it is as long as what was not sent, but for the part of an interval on either side.
INTERVAL_SECONDS = 60 / 45
# The last beat before a silence may be stored so much before the value that brought it.
BEHIND_SECONDS = 2.5

Span = tuple[float, float]


def unsent_seconds(left_out: Sequence[StrapEvent], silences: Sequence[Span]) -> list[float]:
    """Returns for each silence, from the last value before it to the first one after it, the seconds of beats that
    the strap reports as omitted."""
    return [
        sum(float(event.facts["seconds"]) for event in left_out if start <= event.time <= end)
        for start, end in silences
    ]


def gap_seconds(gaps: Sequence[LedgerGap], silences: Sequence[Span]) -> list[float]:
    """Returns for each silence the seconds of its gaps: those after the last beats before it, and before those of the
    next one. A silence may have two, if few values follow."""
    starts = [start - BEHIND_SECONDS for start, _ in silences]
    ends = [*starts[1:], float("inf")]
    return [
        sum(gap.end - gap.start for gap in gaps if start <= gap.start < end) for start, end in zip(starts, ends)
    ]


def expect_gaps(
    expect: Expectations, left_out: Sequence[StrapEvent], gaps: Sequence[LedgerGap], silences: Sequence[Span],
) -> None:
    """Expects gaps as long as the unsent beats of each silence; none without unsent beats, and none before the first
    silence."""
    first = silences[0][0] - BEHIND_SECONDS
    expect.equal("gaps before the first silence", sum(1 for gap in gaps if gap.start < first), 0)
    for unsent, seconds in zip(unsent_seconds(left_out, silences), gap_seconds(gaps, silences)):
        if unsent > 0:
            expect.true("a silence whose beats were not all sent leaves a gap", seconds > 0, f"{unsent:.3f} s, no gap")
            what = f"seconds by which a gap of {seconds:.3f} s is not the {unsent:.3f} s that were left out"
            expect.at_most(what, round(abs(seconds - unsent), 3), INTERVAL_SECONDS)
        else:
            expect.equal("seconds of gaps of a silence whose beats were all sent", round(seconds, 3), 0)
