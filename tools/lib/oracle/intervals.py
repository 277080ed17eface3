"""RR intervals as they are written: exact integers for what is counted and compared, floating point for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

Extended = np.ndarray


@dataclass(frozen=True)
class Intervals:
    """A series. `exact` contains the intervals in units of 1/`scale` ms. `breaks` are the indices of those that
    follow a gap; no difference is computed between one of them and the interval before it."""

    exact: np.ndarray
    scale: int
    breaks: tuple[int, ...] = ()

    @classmethod
    def read(cls, written: list[str], breaks: tuple[int, ...] = ()) -> Intervals:
        """Returns the intervals of decimal numbers in ms, with all digits."""
        values = [Decimal(text) for text in written]
        digits = max((max(0, -int(value.as_tuple().exponent)) for value in values), default=0)
        return cls(np.array([int(value.scaleb(digits)) for value in values], dtype=np.int64), 10**digits, breaks)

    def __len__(self) -> int:
        return len(self.exact)

    def part(self, start: int, end: int) -> Intervals:
        """Returns the intervals start ..< end."""
        inner = tuple(at - start for at in self.breaks if start < at < end)
        return Intervals(self.exact[start:end], self.scale, inner)

    @cached_property
    def milliseconds(self) -> np.ndarray:
        """The intervals in double precision, each the nearest to the written value."""
        return self.exact / self.scale

    @cached_property
    def extended(self) -> Extended:
        """The intervals in numpy's longdouble, with a mantissa of 64 bits on x86-64."""
        return self.exact.astype(np.longdouble) / np.longdouble(self.scale)

    @cached_property
    def ends(self) -> np.ndarray:
        """The exact end of each interval, in units of 1/`scale` ms after the start of the first."""
        return np.cumsum(self.exact)

    @property
    def exact_duration(self) -> int:
        """The sum of all, exactly, in units of 1/`scale` ms."""
        return int(self.ends[-1]) if len(self) else 0

    @property
    def seconds(self) -> float:
        """The sum of all."""
        return self.exact_duration / (1000 * self.scale)

    def lasts(self, seconds: int) -> bool:
        """Returns whether the sum is at least this, compared exactly."""
        return self.exact_duration >= seconds * 1000 * self.scale

    @cached_property
    def is_pair(self) -> np.ndarray:
        """Whether there is no gap between two neighbours, for each pair."""
        pairs = np.ones(max(0, len(self) - 1), dtype=bool)
        pairs[[at - 1 for at in self.breaks if 0 < at < len(self)]] = False
        return pairs

    def longest_run(self) -> Intervals:
        """Returns the longest stretch without a gap, the first of equal ones."""
        edges = [0, *sorted(self.breaks), len(self)]
        runs = [self.part(start, end) for start, end in zip(edges, edges[1:])]
        return max(runs, key=lambda run: run.exact_duration)


def sample_deviation(values: Extended) -> np.longdouble | None:
    """The standard deviation with n − 1, by the corrected two-pass algorithm (Chan, Golub & LeVeque 1983)."""
    count = len(values)
    if count < 2:
        return None
    deviations = values - values.sum() / count
    squares = (deviations * deviations).sum() - deviations.sum() ** 2 / count
    return np.sqrt(squares / (count - 1))
