"""Agreement of estimated with scored stages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from nights import DEEP, LIGHT, REM, UNSCORED, WAKE

RESAMPLES, SEED = 2000, 20_240_101
# Classes of fewer stages: wake, NREM, REM; sleep, wake.
THREE = {WAKE: 0, LIGHT: 1, DEEP: 1, REM: 2}
TWO = {WAKE: 0, LIGHT: 1, DEEP: 1, REM: 1}


def confusion(scored: Sequence[int] | np.ndarray, estimated: Sequence[int] | np.ndarray) -> np.ndarray:
    """Returns the number of epochs by scored (rows) and estimated stage (columns), of those that are scored."""
    first, second = np.asarray(scored), np.asarray(estimated)
    counted = first != UNSCORED
    return np.bincount(first[counted] * 4 + second[counted], minlength=16).reshape(4, 4)


def merged(table: np.ndarray, classes: dict[int, int]) -> np.ndarray:
    """Returns a confusion matrix of fewer classes."""
    found = np.zeros((max(classes.values()) + 1,) * 2)
    for row in range(4):
        for column in range(4):
            found[classes[row], classes[column]] += table[row, column]
    return found


def kappa(table: np.ndarray) -> float:
    """Returns Cohen's κ. It is 0 where scored and estimated stages are one and the same."""
    total = table.sum()
    expected = float((table.sum(0) * table.sum(1)).sum()) / total**2
    return (float(np.trace(table)) / total - expected) / (1 - expected) if expected < 1 else 0.0


def accuracy(table: np.ndarray) -> float:
    """Returns the share of epochs that agree."""
    return float(np.trace(table)) / float(table.sum())


@dataclass(frozen=True)
class Interval:
    """A figure of all nights, with its 95 % interval over persons."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        # Adding zero makes the negative zero of a small negative figure a positive one.
        value, low, high = (round(figure, 2) + 0.0 for figure in (self.value, self.low, self.high))
        return f"{value:.2f} [{low:.2f}, {high:.2f}]"


def resampled(tables: Sequence[np.ndarray], persons: Sequence[str], figure: Callable[[np.ndarray], float]) -> Interval:
    """Returns a figure of the sum of the nights' confusion matrices. The interval is the percentile bootstrap over persons."""
    groups = [
        np.sum([table for table, owner in zip(tables, persons) if owner == person], axis=0) for person in sorted(set(persons))]
    generator = np.random.default_rng(SEED)
    draws = generator.integers(0, len(groups), (RESAMPLES, len(groups)))
    values = [figure(np.sum([groups[index] for index in draw], axis=0)) for draw in draws]
    low, high = np.quantile(values, (0.025, 0.975))
    return Interval(figure(np.sum(groups, axis=0)), float(low), float(high))


def biases(tables: Sequence[np.ndarray]) -> list[tuple[float, float]]:
    """Returns for each stage the mean and the standard deviation over nights of its estimated minus its scored share, in
    percentage points."""
    shares = np.array([(table.sum(0) - table.sum(1)) / table.sum() * 100 for table in tables])
    return [(float(one), float(other)) for one, other in zip(shares.mean(0), shares.std(0, ddof=1))]
