"""What is read off a histogram of the intervals; the bins are found in integers."""

from __future__ import annotations

import numpy as np
from intervals import Intervals


def triangular_index(series: Intervals) -> float | None:
    """The number of intervals over that in the fullest bin, with bins of 1/128 s: floor(NN · 16/125)."""
    if not len(series):
        return None
    _, counts = np.unique(series.exact * 16 // (125 * series.scale), return_counts=True)
    return len(series) / int(counts.max())


def baevsky_stress_index(series: Intervals) -> float | None:
    """AMo % / (2 · Mo · MxDMn) with bins of 50 ms from 0; Mo is the centre of the fullest, the lower on a tie. None
    without variation."""
    if not len(series):
        return None
    spread = int(series.exact.max() - series.exact.min())
    if spread == 0:
        return None
    bins, counts = np.unique(series.exact // (50 * series.scale), return_counts=True)
    fullest = int(counts.argmax())
    mode = (50 * int(bins[fullest]) + 25) / 1000
    share = 100 * int(counts[fullest]) / len(series)
    return share / (2 * mode * (spread / (1000 * series.scale)))
