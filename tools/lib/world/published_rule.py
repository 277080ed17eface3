"""The classification of Lipponen & Tarvainen 2019 (J Med Eng Technol 43(3):173–181) in whole numbers: nothing is rounded.

An interval above 3 s is a gap, and too long; the rule is applied to each of the runs between gaps.

Every comparison is multiplied out. Intervals are whole milliseconds, in units of 1/n² ms, so that the mean of the n
intervals, which leads the series, and the mean of their differences are whole as well.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable

REACH, MEDIAN_REACH = 45, 5
# 40 Th = 26 · 4 (Q3 − Q1), since α / 2 = 2.6 and quartiles of whole numbers are multiples of a quarter.
THRESHOLD, SCALE = 26, 40
FAR = 3
SLOPE, OFFSET, HUNDRED = 13, 17, 100
# What is longer is no interval, in ms.
LONGEST = 3000


def classify(intervals: list[int]) -> dict[str, set[int]]:
    """Returns the intervals of each class, from 0."""
    found: dict[str, set[int]] = {"ectopic": set(), "missed": set(), "extra": set(), "longShort": gaps(intervals)}
    bounds = [-1, *sorted(gaps(intervals)), len(intervals)]
    for start, end in ((before + 1, gap) for before, gap in zip(bounds, bounds[1:]) if gap > before + 1):
        for place, name in _Series(intervals[start:end]).classes().items():
            found[name].add(start + place - 1)
    return found


def gaps(intervals: list[int]) -> set[int]:
    """Returns the intervals that are gaps, from 0."""
    return {place for place, interval in enumerate(intervals) if interval > LONGEST}


class _Series:
    """A series preceded by its mean, with the thresholds at each position."""

    def __init__(self, intervals: list[int]) -> None:
        count = len(intervals)
        self.intervals = [sum(intervals) * count] + [interval * count * count for interval in intervals]
        steps = [second - first for first, second in zip(self.intervals, self.intervals[1:])]
        self.steps = [sum(steps) // count] + steps
        self.step_thresholds = _thresholds(self.steps)
        self.doubled_medians = _sweep(self.intervals, MEDIAN_REACH, _doubled_median)
        departures = [2 * interval - median for interval, median in zip(self.intervals, self.doubled_medians)]
        self.doubled_departures = [2 * value if value < 0 else value for value in departures]
        self.departure_thresholds = _thresholds(self.doubled_departures)

    def classes(self) -> dict[int, str]:
        """Returns the class of each position that has one; position 0 is the mean."""
        found: dict[int, str | None] = {}
        place = 1
        while place + 2 < len(self.intervals):
            if self._is_ectopic(place):
                found[place] = "ectopic"
            elif self._is_beyond(place):
                found[place] = self._long_or_short(place)
                if self._is_lesser(place + 1, place + 2):
                    place += 1
                    found[place] = self._long_or_short(place)
            place += 1
        return {place: name for place, name in found.items() if name}

    def _is_beyond(self, place: int) -> bool:
        return 0 < self.step_thresholds[place] < SCALE * abs(self.steps[place])

    def _is_lesser(self, one: int, other: int) -> bool:
        thresholds = self.step_thresholds
        return abs(self.steps[one]) * thresholds[other] < abs(self.steps[other]) * thresholds[one]

    def _along(self, place: int, other: int) -> int:
        return self.steps[other] if self.steps[place] > 0 else -self.steps[other]

    def _is_ectopic(self, place: int) -> bool:
        return self._is_beyond(place) and all(self._is_over_line(place, other) for other in (place - 1, place + 1))

    def _is_over_line(self, place: int, other: int) -> bool:
        own, others = self.step_thresholds[place], self.step_thresholds[other]
        line = SLOPE * SCALE * abs(self.steps[place]) * others + OFFSET * own * others
        return others > 0 and HUNDRED * SCALE * self._along(place, other) * own < -line

    def _is_taken_back(self, place: int) -> bool:
        behind = range(place + 1, min(place + 3, len(self.steps)))
        return self._is_beyond(place) and any(
            0 < self.step_thresholds[other] < -SCALE * self._along(place, other) for other in behind
        )

    def _long_or_short(self, place: int) -> str | None:
        is_taken_back = self._is_taken_back(place)
        threshold, median = self.departure_thresholds[place], self.doubled_medians[place]
        if not is_taken_back and not 0 < FAR * threshold < SCALE * abs(self.doubled_departures[place]):
            return None
        joined = 2 * (self.intervals[place] + self.intervals[place + 1])
        if is_taken_back and self.steps[place] < 0 and SCALE * abs(joined - median) < threshold:
            return "extra"
        if is_taken_back and self.steps[place] > 0 and SCALE * abs(self.intervals[place] - median) < threshold:
            return "missed"
        return "longShort"


def _thresholds(values: list[int]) -> list[int]:
    return [THRESHOLD * spread for spread in _sweep([abs(value) for value in values], REACH, _fourfold_spread)]


def _sweep(values: list[int], reach: int, measure: Callable[[list[int]], int]) -> list[int]:
    """Returns `measure` of the sorted window around each value."""
    window = sorted(values[:reach])
    found = []
    for place in range(len(values)):
        if place + reach < len(values):
            insort(window, values[place + reach])
        if place > reach:
            del window[bisect_left(window, values[place - reach - 1])]
        found.append(measure(window))
    return found


def _fourfold_spread(window: list[int]) -> int:
    """Returns four times the distance between the quartiles."""
    return _quarter(window, 3) - _quarter(window, 1)


def _quarter(window: list[int], quarters: int) -> int:
    """Returns four times a quartile, interpolated linearly."""
    rank, rest = divmod(quarters * (len(window) - 1), 4)
    return 4 * window[rank] + (rest * (window[rank + 1] - window[rank]) if rest else 0)


def _doubled_median(window: list[int]) -> int:
    return window[(len(window) - 1) // 2] + window[len(window) // 2]
