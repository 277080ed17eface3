"""Stretches of five minutes, and what is computed from one value of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from intervals import Intervals, sample_deviation

LENGTH_SECONDS = 300
LEAST_COVERAGE = 0.5
LEAST_SEGMENTS = 2


@dataclass(frozen=True)
class Segment:
    """The intervals that end within one stretch."""

    index: int
    intervals: Intervals

    @property
    def start_seconds(self) -> int:
        """When the stretch begins."""
        return self.index * LENGTH_SECONDS

    @property
    def coverage(self) -> float:
        """How much of the stretch its intervals make up."""
        return min(1.0, self.intervals.seconds / LENGTH_SECONDS)


def segments(series: Intervals) -> list[Segment]:
    """All complete segments: interval i belongs to floor(end of i / 300 s); time is the running sum of intervals."""
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
