"""Series that anybody can make again: a seeded generator and closed formulas, nothing measured."""

from __future__ import annotations

import math
from collections.abc import Iterable

MASK = (1 << 64) - 1


class SplitMix64:
    """Steele, Lea & Flood 2014, Fast splittable pseudorandom number generators (OOPSLA): the same seed, the same
    numbers, in any language."""

    def __init__(self, seed: int) -> None:
        self._state = seed & MASK

    def next(self) -> int:
        """Returns 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)

    def unit(self) -> float:
        """Returns a number in 0 ..< 1: the upper 53 bits."""
        return (self.next() >> 11) * 2.0**-53

    def bell(self) -> float:
        """Returns a number with mean 0 and variance 1: the sum of twelve in 0 ..< 1, less 6."""
        return math.fsum(self.unit() for _ in range(12)) - 6


def on_ticks(milliseconds: Iterable[float]) -> list[float]:
    """Returns each interval rounded to a multiple of 1/1024 s, as straps send them: 125/128 ms, exact in double
    precision."""
    return [round(value * 1.024) * 125 / 128 for value in milliseconds]


def modulated(seconds: float, mean: float, waves: tuple[tuple[float, float], ...]) -> list[float]:
    """Returns intervals of at least `seconds` in all with NNᵢ = mean + Σ A·sin(2πf·tᵢ), where tᵢ is the end of
    interval i; waves are pairs of A in ms and f in Hz."""
    intervals: list[float] = []
    end = 0.0
    while end < seconds:
        interval = mean
        # NN stands on both sides; the right side changes so slowly with it that this settles within a few rounds.
        for _ in range(60):
            at = end + interval / 1000
            interval = mean + sum(size * math.sin(2 * math.pi * hertz * at) for size, hertz in waves)
        intervals.append(interval)
        end += interval / 1000
    return intervals
