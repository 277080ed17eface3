"""Choosing and training: every choice for a night is made without it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scores
from chain import Chain
from disturbance import training_copy
from features import Series, features
from forest import DECIMALS, train
from lightgbm import Booster
from nights import UNSCORED, Night

HEART_RATE, MOVEMENT = "heart rate", "movement"
# Folds inside a fold: the others' nights in groups.
GROUPS = 4
EXPONENTS = (0.2, 0.35, 0.5)
# Of wake, light, deep and REM; the stage is that with the highest weighted probability.
WEIGHTS = tuple(itertools.product((0.5, 0.7, 1.0, 1.5, 2.2), (1.0,), (0.5, 0.7, 1.0, 1.4), (0.5, 0.7, 1.0, 1.4)))
# How much κ of sleep and wake, and the sum of the differences of stage shares, count beside κ of four classes.
SLEEP_WAKE_SHARE, BIAS_SHARE = 0.5, 0.25


@dataclass(frozen=True)
class Shape:
    """A choice of features and of the size of trees."""

    context: bool
    level: bool
    leaves: int
    rounds: int

    def has(self, feature: str) -> bool:
        """Whether a feature is in."""
        if "_at_" in feature:
            return self.context
        return self.level or not feature.startswith(("hr_level", "hr_above_low"))

    def __str__(self) -> str:
        parts = ["context" if self.context else "", "level" if self.level else ""]
        return " + ".join(["plain", *filter(None, parts)]) + f", {self.rounds} × {self.leaves} leaves"


SHAPES = (Shape(False, False, 8, 80), Shape(True, False, 8, 80), Shape(True, True, 8, 80), Shape(True, False, 16, 40))
MOVEMENT_SHAPES = (Shape(False, False, 8, 80), Shape(False, False, 16, 40))


@dataclass(frozen=True)
class Variant:
    """What an estimator sees: inputs, and whether it looks ahead."""

    inputs: tuple[str, ...]
    causal: bool

    @property
    def name(self) -> str:
        """The name of its model file."""
        return "-".join([*("-".join(self.inputs) or "clock").split(), "causal" if self.causal else "night"])

    @property
    def title(self) -> str:
        """Its name in tables."""
        return f"{' and '.join(self.inputs) or 'clock only'}, {'causal' if self.causal else 'whole night'}"

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The choices that it has."""
        return SHAPES if HEART_RATE in self.inputs else MOVEMENT_SHAPES if self.inputs else MOVEMENT_SHAPES[:1]


VARIANTS = tuple(
    Variant(inputs, causal) for causal in (False, True) for inputs in ((HEART_RATE, MOVEMENT), (HEART_RATE,), (MOVEMENT,)))
# The baseline that knows the time since the start and until the end alone.
CLOCK = Variant((), causal=False)


@dataclass(frozen=True)
class Choice:
    """All that is chosen by the nights of a training."""

    shape: Shape
    exponent: float
    weights: tuple[float, ...]


class Bench:
    """The features and scored stages of the nights of a training."""

    def __init__(self, nights: Sequence[Night], variant: Variant) -> None:
        self.variant = variant
        self.stages = [np.array(night.stages) for night in nights]
        tables = [self._features(night) for night in nights]
        copies = [self._features(training_copy(night, seed)) for seed, night in enumerate(nights)]
        self.names = [name for name in tables[0] if variant.inputs or not name.startswith("mv_")]
        self._rows, self._copies = (
            [np.round([table[name] for name in self.names], DECIMALS).T for table in one] for one in (tables, copies))

    def chosen_names(self, shape: Shape) -> list[str]:
        """Returns the features of a shape."""
        return [name for name in self.names if shape.has(name)]

    def trained(self, shape: Shape, nights: Sequence[int]) -> Booster:
        """Returns the trees of some nights."""
        wanted = self._wanted(shape)
        # Neighbours are so alike that half of the epochs is enough: even ones as measured, odd ones of the copy.
        rows = [part[night][first::2, wanted] for night in nights for first, part in enumerate((self._rows, self._copies))]
        stages = np.concatenate([self.stages[night][first::2] for night in nights for first in range(2)])
        scored = stages != UNSCORED
        return train(np.concatenate(rows)[scored], stages[scored], shape.leaves, shape.rounds)

    def chances(self, shape: Shape, training: Sequence[int], nights: Sequence[int]) -> list[np.ndarray]:
        """Returns the probabilities of the stages in some nights by trees of others."""
        booster = self.trained(shape, training)
        return [np.asarray(booster.predict(self.columns(shape, night))) for night in nights]

    def chain(self, nights: Sequence[int]) -> Chain:
        """Returns the chain of some nights."""
        return Chain.of([self.stages[night] for night in nights])

    def choose(self, nights: Sequence[int]) -> Choice:
        """Returns the best choice by cross-validation within some nights."""
        chain, best, found = self.chain(nights), -math.inf, None
        for shape in self.variant.shapes:
            inner: list[np.ndarray] = []
            order: list[int] = []
            for group in range(GROUPS):
                left_out = [night for night in nights if night % GROUPS == group]
                others = [night for night in nights if night % GROUPS != group]
                inner += self.chances(shape, others, left_out)
                order += left_out
            scored = np.concatenate([self.stages[night] for night in order])
            for exponent in EXPONENTS:
                rows = np.concatenate(chain.smoothed(inner, exponent, self.variant.causal))
                for weights in WEIGHTS:
                    score = _score(scores.confusion(scored, (rows * weights).argmax(1)))
                    if score > best:
                        best, found = score, Choice(shape, exponent, weights)
        assert found is not None
        return found

    def left_out(self, night: int, choice: Choice | None = None) -> tuple[np.ndarray, Choice]:
        """Returns the stages of a night, trained and chosen by all others, and the choice. With a choice, only trained."""
        others = [other for other in range(len(self.stages)) if other != night]
        made = choice or self.choose(others)
        chances = self.chances(made.shape, others, [night])
        smoothed = self.chain(others).smoothed(chances, made.exponent, self.variant.causal)[0]
        return (smoothed * made.weights).argmax(1), made

    def columns(self, shape: Shape, night: int) -> np.ndarray:
        """Returns the features of a shape for the epochs of a night."""
        columns: np.ndarray = self._rows[night][:, self._wanted(shape)]
        return columns

    def _wanted(self, shape: Shape) -> list[int]:
        return [index for index, name in enumerate(self.names) if shape.has(name)]

    def _features(self, night: Night) -> dict[str, Series]:
        inputs = self.variant.inputs
        # Without inputs the length of the night is all that counts.
        return features(night.heart_rate if HEART_RATE in inputs else None,
                        night.movement if MOVEMENT in inputs or not inputs else None, self.variant.causal)


def _score(table: np.ndarray) -> float:
    bias = float(np.abs(table.sum(0) - table.sum(1)).sum() / table.sum())
    sleep_wake = scores.kappa(scores.merged(table, scores.TWO))
    return scores.kappa(table) + SLEEP_WAKE_SHARE * sleep_wake - BIAS_SHARE * bias
