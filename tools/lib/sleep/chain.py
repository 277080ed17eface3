"""The chain over epochs for many nights at once; estimator.py has it for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from nights import UNSCORED

CLASSES = 4
# What is added to each count, so that nothing is impossible.
PSEUDO_COUNT = 0.5
# Epochs: the stages of so many at the start of each night are those of its beginning.
BEGINNING = 10


@dataclass(frozen=True)
class Chain:
    """Shares of the stages, probabilities at the start of a night, and of the next stage by the last."""

    shares: np.ndarray
    start: np.ndarray
    transitions: np.ndarray

    @classmethod
    def of(cls, nights: Sequence[np.ndarray]) -> Chain:
        """Returns the chain of scored stages."""
        shares, start = np.zeros(CLASSES), np.full(CLASSES, PSEUDO_COUNT)
        moves = np.full((CLASSES, CLASSES), PSEUDO_COUNT)
        for stages in nights:
            scored = stages[stages != UNSCORED]
            shares += np.bincount(scored, minlength=CLASSES)
            start += np.bincount(scored[:BEGINNING], minlength=CLASSES)
            pairs = (stages[:-1] != UNSCORED) & (stages[1:] != UNSCORED)
            np.add.at(moves, (stages[:-1][pairs], stages[1:][pairs]), 1)
        return cls(shares / shares.sum(), start / start.sum(), moves / moves.sum(1, keepdims=True))

    def smoothed(self, chances: Sequence[np.ndarray], exponent: float, causal: bool) -> list[np.ndarray]:
        """Returns the probabilities of the stages of each night by all its epochs, or by those until each one."""
        longest = max(len(night) for night in chances)
        # Beyond the end of a night nothing is known.
        evidence = np.ones((longest, len(chances), CLASSES))
        for index, night in enumerate(chances):
            evidence[:len(night), index] = (night / self.shares) ** exponent
        forward = np.empty_like(evidence)
        before = np.broadcast_to(self.start, evidence.shape[1:])
        for epoch in range(longest):
            forward[epoch] = _normalised(before * evidence[epoch])
            before = forward[epoch] @ self.transitions
        if not causal:
            backward = np.ones(evidence.shape[1:])
            for epoch in range(longest - 2, -1, -1):
                backward = _normalised((evidence[epoch + 1] * backward) @ self.transitions.T)
                forward[epoch] = _normalised(forward[epoch] * backward)
        return [forward[:len(night), index] for index, night in enumerate(chances)]


def _normalised(values: np.ndarray) -> np.ndarray:
    found: np.ndarray = values / values.sum(-1, keepdims=True)
    return found
