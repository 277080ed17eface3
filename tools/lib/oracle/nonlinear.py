"""Scaling, regularity and phase-rectified averaging."""

from __future__ import annotations

import math

import numpy as np
from intervals import Extended, Intervals, sample_deviation

BOXES = range(4, 17)
TEMPLATE = 2
TOLERANCE = 0.2
# Rows of the matrix of distances that are held at once.
ROWS = 512


def dfa_alpha1(series: Intervals) -> float | None:
    """The slope of ln F(n) on ln n for boxes of 4 … 16 beats, in longdouble. None without a box of each length, and
    when a line fits every box."""
    nn = series.extended
    if len(nn) < BOXES[-1]:
        return None
    profile = np.cumsum(nn - nn.mean())
    # What is left of a perfect line is rounding, and its logarithm is noise.
    negligible = np.finfo(np.longdouble).eps * np.abs(profile).max() * len(nn)
    fluctuations = [_fluctuation(profile, length) for length in BOXES]
    if min(fluctuations) <= negligible:
        return None
    x = np.log(np.array(BOXES, dtype=np.longdouble))
    y = np.log(np.array(fluctuations))
    x -= x.mean()
    return float((x * (y - y.mean())).sum() / (x * x).sum())


def _fluctuation(profile: Extended, length: int) -> np.longdouble:
    """√ of the mean squared residual of a line in each box; boxes follow one another from the start."""
    boxes = profile[: len(profile) // length * length].reshape(-1, length)
    boxes = boxes - boxes.mean(axis=1, keepdims=True)
    x = np.arange(length, dtype=np.longdouble) - np.longdouble(length - 1) / 2
    slopes = (boxes * x).sum(axis=1, keepdims=True) / (x * x).sum()
    residuals = boxes - slopes * x
    return np.sqrt((residuals * residuals).mean())


def sample_entropy(series: Intervals) -> float | None:
    """−ln(A/B) with m = 2 and r = 0.2 sample deviations; None when nothing matches. All pairs of templates are
    compared, each in both orders."""
    deviation = sample_deviation(series.extended)
    count = len(series) - TEMPLATE
    if deviation is None or count < 1:
        return None
    x = series.exact
    radius = int(np.floor(np.longdouble(TOLERANCE) * deviation * series.scale))
    shorter = longer = 0
    for start in range(0, count, ROWS):
        end = min(start + ROWS, count)
        near = np.abs(x[start : end + TEMPLATE, None] - x[None, :]) <= radius
        both = near[: end - start, :count] & near[1 : end - start + 1, 1 : count + 1]
        shorter += int(np.count_nonzero(both))
        longer += int(np.count_nonzero(both & near[TEMPLATE:, TEMPLATE:]))
    # A template matches itself, once at either length.
    shorter, longer = shorter - count, longer - count
    return math.log(shorter / longer) if longer > 0 else None


def deceleration_capacity(series: Intervals, minimum_anchors: int) -> float | None:
    """Phase-rectified signal averaging (Bauer et al. 2006, Lancet 367:1674–1681): the mean over all beats that are up
    to 5 % longer than the one before of (NNᵢ + NNᵢ₊₁ − NNᵢ₋₁ − NNᵢ₋₂)/4."""
    x = series.exact
    if len(x) < 4:
        return None
    joined = series.is_pair[:-2] & series.is_pair[1:-1] & series.is_pair[2:]
    earlier, before, here, after = x[:-3], x[1:-2], x[2:-1], x[3:]
    anchors = joined & (here > before) & (100 * here <= 105 * before)
    if np.count_nonzero(anchors) < minimum_anchors:
        return None
    total = int((here + after - before - earlier)[anchors].sum())
    return total / (4 * series.scale * int(np.count_nonzero(anchors)))
