"""Made-up beats on whole ticks, and the features that SleepECG computes from them."""

from __future__ import annotations

import math
import random
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sleepecg.feature_extraction import _hrv_frequencydomain_features, _hrv_timedomain_features

TICKS = 1024
EPOCH = 30
# Seconds before and after the start of an epoch.
WINDOWS = {"sleepWake": (240, 270), "wakeNREMREM": (120, 150)}
# Platforms differ in the last digits.
DIGITS = 11


@dataclass(frozen=True)
class Night:
    """Beats in ticks from the start of a night."""

    name: str
    epochs: int
    beats: list[int]


def breathing(seed: int, seconds: float, mean: float = 0.9, step: int = 1) -> list[int]:
    """Returns beats whose intervals swing with breathing and slower, with noise, at multiples of `step` ticks."""
    source, time, beats = random.Random(seed), 0.2, []
    while time < seconds:
        beats.append(round(time * TICKS / step) * step)
        slow = 0.06 * math.sin(2 * math.pi * 0.09 * time) + 0.05 * math.sin(2 * math.pi * 0.011 * time)
        time += mean + slow + 0.04 * math.sin(2 * math.pi * 0.24 * time) + source.gauss(0, 0.012)
    return beats


def without(beats: list[int], *gaps: tuple[float, float]) -> list[int]:
    """Returns the beats outside gaps, given in seconds."""
    return [beat for beat in beats if not any(start * TICKS <= beat < end * TICKS for start, end in gaps)]


def irregular(seed: int, seconds: float) -> list[int]:
    """Returns beats with intervals that are too short and too long, alone and in groups, and some at the limits."""
    source, time, beats = random.Random(seed), 100, []
    while time < seconds * TICKS:
        beats.append(time)
        unusual = source.random() < 0.06
        time += source.choice([200, 307, 308, 2048, 2049, 2600] if unusual else [800, 850, 870, 871, 922])
    return beats


def nights() -> list[Night]:
    """Returns the nights."""
    return [
        Night("complete", 24, breathing(1, 24 * 30)),
        Night("on the grid of 4 Hz", 12, breathing(2, 12 * 30, step=128)),
        Night("two gaps", 40, without(breathing(3, 40 * 30), (200, 290.5), (600, 905))),
        Night("out of range", 24, irregular(4, 24 * 30)),
        Night("starts late and ends early", 30, without(breathing(5, 30 * 30), (0, 190), (700, 900))),
        Night("few beats", 20, [1000, 1900, 2700, 300_000, 300_900, 301_850, 400_000]),
        Night("fast", 10, breathing(6, 10 * 30, mean=0.45)),
        Night("one epoch", 1, breathing(7, 30)),
    ]


def features(night: Night, window: str) -> np.ndarray:
    """Returns the 33 features of each epoch, as extract_features of SleepECG computes them."""
    lookback, lookforward = WINDOWS[window]
    # SleepECG fails where no window of the spectra is complete: a complete stretch follows, beyond all windows.
    later = night.epochs + 20
    beats = [*night.beats, *(later * EPOCH * TICKS + beat for beat in breathing(9, 40 * EPOCH))]
    times, lengths = intervals(night.beats)
    starts = np.arange(later + 40) * EPOCH
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        statistics = _hrv_timedomain_features(lengths, times, starts[:night.epochs], lookback, lookforward)
        times, lengths = intervals(beats)
        powers = _hrv_frequencydomain_features(lengths, times, starts, lookback, lookforward, 4, 0.5)
    return np.hstack([statistics, powers[:night.epochs]])


def intervals(beats: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the ends and the lengths of the intervals between beats, in seconds; NaN for lengths out of range."""
    seconds = np.array(beats) / TICKS
    lengths = np.diff(seconds)
    lengths[(lengths < 0.3) | (lengths > 2)] = np.nan
    return seconds[1:], lengths


def plain(value: float) -> float | str | None:
    """Returns a value for JSON: null for NaN, text for infinities."""
    if math.isnan(value):
        return None
    return str(value) if math.isinf(value) else float(f"{value:.{DIGITS}g}")


def feature_cases() -> list[dict[str, Any]]:
    """Returns the cases of features.json."""
    return [
        {"name": night.name, "window": window, "epochs": night.epochs, "beats": night.beats,
         "features": [[plain(value) for value in row] for row in features(night, window).tolist()]}
        for night in nights() for window in WINDOWS
    ]
