"""Nights with changed inputs, seeded: for training beside what was measured, and to see what changes do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from features import NAN, Series
from nights import Night

SEED = 1
# Of the copy for training: beats a minute, the chance of a gap every few epochs, and the epochs of a gap.
NOISE, GAP_CHANCE, GAP_STEP, GAP_LENGTHS = 1.0, 0.15, 15, (2, 30)
FIRST_HOURS = 4


def training_copy(night: Night, seed: int) -> Night:
    """Returns a night with noise and gaps in its heart rate; movement is missing in every second gap. Straps lose contact
    more often than the watch of the training."""
    generator = np.random.default_rng(seed)
    rate = (np.array(night.heart_rate) + generator.normal(0, NOISE, len(night.heart_rate))).tolist()
    movement = None if night.movement is None else list(night.movement)
    epoch, gaps = 0, 0
    while epoch < len(rate):
        if generator.random() >= GAP_CHANCE:
            epoch += GAP_STEP
            continue
        end = min(epoch + int(generator.integers(*GAP_LENGTHS)), len(rate))
        rate[epoch:end] = [NAN] * (end - epoch)
        gaps += 1
        if movement is not None and gaps % 2 == 0:
            movement[epoch:end] = [NAN] * (end - epoch)
        epoch = end
    return Night(night.name, night.person, night.stages, rate, movement)


def _louder(night: Night) -> Night:
    assert night.movement is not None
    return _changed(night, movement=[value * 1000 for value in night.movement])


def _with_floor(night: Night) -> Night:
    assert night.movement is not None
    known = sorted(value for value in night.movement if value == value)
    floor = 0.05 * known[int(0.9 * len(known))]
    draws = np.random.default_rng(SEED).uniform(0, 2 * floor, len(night.movement))
    return _changed(night, movement=[value + float(draw) for value, draw in zip(night.movement, draws)])


def _faster(night: Night) -> Night:
    return _changed(night, rate=[value + 15 for value in night.heart_rate])


def _with_noise(night: Night) -> Night:
    draws = np.random.default_rng(SEED).normal(0, 1, len(night.heart_rate))
    return _changed(night, rate=[value + float(draw) for value, draw in zip(night.heart_rate, draws)])


def _with_gaps(night: Night) -> Night:
    missing = np.random.default_rng(SEED).random(len(night.heart_rate) // 10 + 1) < 0.1
    return _changed(night, rate=[NAN if missing[index // 10] else value for index, value in enumerate(night.heart_rate)])


def _first_hours(night: Night) -> Night:
    assert night.movement is not None
    count = FIRST_HOURS * 120
    return Night(night.name, night.person, night.stages[:count], night.heart_rate[:count], night.movement[:count])


def _changed(night: Night, rate: Series | None = None, movement: Series | None = None) -> Night:
    return Night(night.name, night.person, night.stages, rate or night.heart_rate, movement or night.movement)


# By title; with these the trees are not trained.
KINDS: dict[str, Callable[[Night], Night]] = {
    "as measured": lambda night: night,
    "movement × 1000": _louder,
    "movement with uniform noise of 0 to 10 % of its 90th percentile": _with_floor,
    "heart rate + 15 /min": _faster,
    "heart rate with noise of 1 /min": _with_noise,
    "a tenth of the heart rate missing, in gaps of 5 min": _with_gaps,
    f"the first {FIRST_HOURS} hours alone": _first_hours,
}
