"""The features of SleepECG 0.6.0, computed anew with numpy from beats."""

from __future__ import annotations

import warnings

import numpy as np

EPOCH_SECONDS = 30
# Seconds: other intervals are invalid.
SHORTEST, LONGEST = 0.3, 2.0
# Samples a second of the resampled intervals.
RATE = 4
# Of missing samples in a window that has a spectrum.
MOST_MISSING = 0.5
MISSING = -1.0
# Beats are on the grid of the networks' training, which is exact in binary.
GRID = 256
# Bins of the bands by samples of the window: total, VLF, LF, HF, both ends included.
BANDS = {1080: ((0, 108), (1, 10), (11, 40), (41, 108)), 2040: ((0, 204), (2, 20), (21, 76), (77, 204))}


def network_features(times: np.ndarray, epochs: int, before: int, after: int) -> np.ndarray:
    """Returns epochs × 33 features of the beats at these times in seconds; an epoch's window is from `before` seconds
    before its start to `after` seconds after it. NaN and infinities are left in."""
    beats = np.round(times * GRID) / GRID
    intervals = np.diff(beats)
    intervals[(intervals < SHORTEST) | (intervals > LONGEST)] = np.nan
    ends = beats[1:]
    starts = EPOCH_SECONDS * np.arange(epochs)
    first = np.searchsorted(ends, starts - before, "left")
    last = np.searchsorted(ends, starts + after, "left")
    width = int((last - first).max())
    size = (before + after) * RATE
    grid = -before + np.arange((epochs - 1) * EPOCH_SECONDS * RATE + size) / RATE
    resampled = np.interp(grid, ends, intervals, left=np.nan, right=np.nan)
    found = np.empty((epochs, 33))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # Empty windows have missing values, as in the package.
        warnings.simplefilter("ignore", RuntimeWarning)
        for epoch in range(epochs):
            offset = epoch * EPOCH_SECONDS * RATE
            found[epoch, :26] = _time_domain(intervals[first[epoch]:last[epoch]], width)
            found[epoch, 26:] = _frequency_domain(resampled[offset:offset + size])
    return found


def network_input(found: np.ndarray, metadata: tuple[float, float, float] | None) -> np.ndarray:
    """Returns the input of a network: the features, and start of the recording in seconds of the day, age and gender."""
    known = np.full(3, np.nan) if metadata is None else np.array(metadata)
    rows = np.hstack([found, np.broadcast_to(known, (len(found), 3))])
    return np.where(np.isfinite(rows), rows, MISSING).astype(np.float32)


def _time_domain(window: np.ndarray, width: int) -> list[float]:
    valid, steps = window[~np.isnan(window)], np.diff(window)
    steps = steps[~np.isnan(steps)]
    many = [float(np.count_nonzero(np.abs(steps) > limit)) for limit in (0.05, 0.02)]
    shares = [one / (width - 1) for one in many]
    if not len(valid):
        nothing = np.nan
        return [*[nothing] * 7, *many, *shares, *[nothing] * 15]
    mean, longest, shortest = float(valid.mean()), float(valid.max()), float(valid.min())
    sdnn = float(valid.std(ddof=1)) if len(valid) > 1 else np.nan
    sdsd = float(steps.std(ddof=1)) if len(steps) > 1 else np.nan
    rmssd = float(np.sqrt((steps**2).mean())) if len(steps) else np.nan
    step = float(steps.mean()) if len(steps) else np.nan
    median = float(np.median(valid))
    high, low = np.percentile(valid, (75, 25))
    rates = 60 / valid
    sd1 = np.sqrt(sdsd**2 / 2)
    sd2 = np.sqrt(2 * sdnn**2 - sd1**2)
    return [
        mean, longest, shortest, longest - shortest, sdnn, rmssd, sdsd, *many, *shares, median,
        float(np.median(np.abs(valid - median))), high - low, sdnn / mean, float(np.divide(sdsd, step)), 60 / mean,
        60 / shortest, 60 / longest, float(rates.std(ddof=1)) if len(rates) > 1 else np.nan, sd1, sd2, np.pi * sd1 * sd2,
        np.divide(sd1, sd2), np.divide(sd2, sd1), np.log10(16 * sd1 * sd2)]


def _frequency_domain(window: np.ndarray) -> list[float]:
    size = len(window)
    valid = window[~np.isnan(window)]
    if len(valid) < size * (1 - MOST_MISSING) or not len(valid):
        return [np.nan] * 7
    taper = np.ones(size)
    if len(valid) < size:
        taper = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(len(valid)) / len(valid))
    power = np.abs(np.fft.rfft((valid - valid.mean()) * taper, size)) ** 2 / (RATE * (taper**2).sum())
    power[1:] *= 2
    total, very_low, low, high = (
        float(np.trapezoid(power[first:last + 1], dx=RATE / size)) for first, last in BANDS[size])
    return [total, very_low, low, np.divide(100 * low, low + high), high, np.divide(100 * high, low + high),
            np.divide(low, high)]
