"""Nights with scored stages, and the series of epochs that features are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from features import NAN, Series

EPOCH_SECONDS = 30
WAKE, LIGHT, DEEP, REM = range(4)
STAGE_NAMES = ("wake", "light", "deep", "REM")
# Rechtschaffen & Kales and AASM; anything else is not scored, as movement time.
STAGES = {"0": WAKE, "1": LIGHT, "2": LIGHT, "3": DEEP, "4": DEEP, "5": REM, "W": WAKE, "R": REM}
UNSCORED = -1
# Milliseconds: other intervals are no heart rate. An epoch with less than the least sum has none.
SHORTEST_INTERVAL, LONGEST_INTERVAL, LEAST_COVERED = 300.0, 2000.0, 10_000.0


@dataclass(frozen=True)
class Night:
    """A scored night; its series have a value for each epoch from the start of the recording."""

    name: str
    # Nights of one person have the same.
    person: str
    stages: list[int]
    heart_rate: Series
    movement: Series | None
    # Seconds, of the normal beats where beats were recorded.
    beats: list[float] | None = None


def walch_nights(folder: Path) -> list[Night]:
    """Returns the nights of PhysioNet sleep-accel. The night ends with the last epoch that has movement features."""
    nights = []
    for path in sorted((folder / "walch_hr").glob("*_motion.tsv")):
        name = path.name.removesuffix("_motion.tsv")
        movement = movement_series(path)
        stages = [UNSCORED] * len(movement)
        for start, stage, *_ in _rows(path):
            stages[_epoch(float(start))] = STAGES.get(stage, UNSCORED)
        rate = sampled_heart_rate(path.with_name(f"{name}_hr.txt"), len(movement))
        nights.append(Night(name, name, stages, rate, movement))
    if not nights:
        raise SystemExit(f"sleep: {folder / 'walch_hr'} has no *_motion.tsv")
    return nights


def slpdb_nights(folder: Path) -> list[Night]:
    """Returns the records of the MIT-BIH Polysomnographic Database, in the folder `slpdb`."""
    nights = []
    for path in sorted((folder / "slpdb").glob("*_epochs.tsv")):
        name = path.name.removesuffix("_epochs.tsv")
        rows = _rows(path)
        stages = [UNSCORED] * (1 + max(_epoch(float(row[0])) for row in rows))
        for start, stage, *_ in rows:
            stages[_epoch(float(start))] = STAGES.get(stage, UNSCORED)
        intervals = path.with_name(f"{name}_rr.tsv")
        # slp01a and slp01b are one person.
        nights.append(Night(name, name.rstrip("ab"), stages, beat_heart_rate(intervals, len(stages)), None,
                            normal_beats(intervals)))
    if not nights:
        raise SystemExit(f"sleep: {folder / 'slpdb'} has no *_epochs.tsv")
    return nights


def movement_series(path: Path, count: int | None = None) -> Series:
    """Returns the movement of each epoch, up to the last row or a number of epochs; the third column has it."""
    amounts = {_epoch(float(row[0])): float(row[2]) for row in _rows(path)}
    return [amounts.get(epoch, NAN) for epoch in range(count or 1 + max(amounts))]


def sample_times(path: Path) -> list[float]:
    """Returns the times of samples of heart rate in seconds, in the order of the file."""
    return [float(line.split(",")[0]) for line in path.read_text().split()]


def sampled_heart_rate(path: Path, count: int) -> Series:
    """Returns the mean heart rate of each epoch, of lines "seconds,beats a minute" in any order. Of several samples with
    one time, the lowest counts."""
    samples: dict[float, float] = {}
    for line in path.read_text().split():
        time, value = (float(text) for text in line.split(","))
        if 0 <= time < count * EPOCH_SECONDS:
            samples[time] = min(value, samples.get(time, math.inf))
    sums, numbers = [0.0] * count, [0] * count
    for time, value in sorted(samples.items()):
        sums[_epoch(time)] += value
        numbers[_epoch(time)] += 1
    return [total / number if number else NAN for total, number in zip(sums, numbers)]


def beat_heart_rate(path: Path, count: int) -> Series:
    """Returns the heart rate of each epoch: the number of its intervals over their sum. An interval belongs to the epoch
    of the beat that ends it."""
    sums, numbers = [0.0] * count, [0] * count
    for time, interval, _ in beats(path):
        epoch = _epoch(time)
        if epoch < count and SHORTEST_INTERVAL <= interval <= LONGEST_INTERVAL:
            sums[epoch] += interval
            numbers[epoch] += 1
    return [60_000 * number / total if total >= LEAST_COVERED else NAN for total, number in zip(sums, numbers)]


def beats(path: Path) -> list[tuple[float, float, str]]:
    """Returns the times of beats in seconds, the intervals before them in milliseconds, and their types (N is normal)."""
    return [(float(row[0]), float(row[1]), row[3]) for row in _rows(path)]


def normal_beats(path: Path) -> list[float]:
    """Returns the times of normal beats in seconds."""
    return [time for time, _, kind in beats(path) if kind == "N"]


def _rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text().splitlines()[1:] if line]


def _epoch(time: float) -> int:
    return math.floor(time / EPOCH_SECONDS)
