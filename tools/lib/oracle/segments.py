"""Stretches of five minutes, and what is computed from one value of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from intervals import Intervals, sample_deviation

LENGTH_SECONDS = 300
LEAST_COVERAGE = 0.5
LEAST_SEGMENTS = 2
# The range of a human heart, in ms: what is out of it covers no time.
SHORTEST_MS, LONGEST_MS = 273, 2000


@dataclass(frozen=True)
class Segment:
    """The intervals that end within one stretch."""

    index: int
    intervals: Intervals

    @property
    def start_seconds(self) -> int:
        """The start of the stretch."""
        return self.index * LENGTH_SECONDS

    @property
    def coverage(self) -> float:
        """The part of the stretch that intervals in the range of a human heart fill."""
        exact, scale = self.intervals.exact, self.intervals.scale
        in_range = exact[(exact >= SHORTEST_MS * scale) & (exact <= LONGEST_MS * scale)]
        return min(1.0, int(in_range.sum()) / (1000 * scale) / LENGTH_SECONDS)


def segments(series: Intervals) -> list[Segment]:
    """Returns all complete segments: interval i belongs to floor(end of i / 300 s); time is the running sum of
    intervals."""
    unit = LENGTH_SECONDS * 1000 * series.scale
    owner = series.ends // unit
    complete = series.exact_duration // unit
    edges = np.searchsorted(owner, np.arange(complete + 1))
    return [Segment(index, series.part(edges[index], edges[index + 1])) for index in range(complete)]


def sdann(means: list[float]) -> float | None:
    """The sample deviation of the segments' means."""
    if len(means) < LEAST_SEGMENTS:
        return None
    return float(sample_deviation(np.array(means, dtype=np.longdouble)))


def sdnn_index(deviations: list[float]) -> float | None:
    """The mean of the segments' deviations."""
    if len(deviations) < LEAST_SEGMENTS:
        return None
    return float(np.array(deviations, dtype=np.longdouble).mean())
