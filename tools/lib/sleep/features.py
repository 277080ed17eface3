"""Features of a night in plain Python, as README.md defines them: the reference of the Swift implementation.

A series has a value for each epoch of 30 s; NaN is a missing value.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable

NAN = math.nan
Series = list[float]

# Beats a minute: the spread of a night's heart rate is at least this.
LEAST_SPREAD = 4.0
# Epochs: smoothed movement is complete five epochs later, so that causal features see it with this delay.
MOVEMENT_DELAY = 5
# Multiples of the 90th percentile: less than the floor is none, more than the threshold is movement, more than the ceiling is
# as much as it.
MOVEMENT_FLOOR, MOVEMENT_THRESHOLD, MOVEMENT_CEILING = 0.1, 0.3, 10.0
# Epochs: the longest count without movement.
LONGEST_STILLNESS = 120
# Beats a minute: added before a ratio of deviations.
DEVIATION_OFFSET = 0.2
EPOCHS_PER_HOUR = 120
# Hours: longer than the nights of the training are as the longest.
LONGEST_TIME, LONGEST_REST = 8.0, 1.0


def features(heart_rate: Series | None, movement: Series | None, causal: bool) -> dict[str, Series]:
    """Returns all features by name: heart rate in beats a minute, movement in any unit with a zero. Causal features of
    an epoch use no later one."""
    count = len(heart_rate if heart_rate is not None else movement or [])
    found: dict[str, Series] = {}
    if heart_rate is not None:
        found |= (_causal_heart_rate if causal else _heart_rate)(heart_rate)
    if movement is not None:
        found |= _causal_movement(movement) if causal else _movement(movement)
    found["time"] = [min(epoch / EPOCHS_PER_HOUR, LONGEST_TIME) for epoch in range(count)]
    if not causal:
        found["rest"] = [min((count - 1 - epoch) / EPOCHS_PER_HOUR, LONGEST_REST) for epoch in range(count)]
    return found


def _heart_rate(rate: Series) -> dict[str, Series]:
    found: dict[str, Series] = {}
    spread = _spread(rate, causal=False)
    middle = _quantiles(rate, 0.5, causal=False)
    level = {width: _windows(rate, width, width, mean) for width in (0, 1, 2, 5, 10, 30)}
    for width in (0, 2, 5, 10, 30):
        found[f"hr_level_{width}"] = _scaled(level[width], middle, spread)
    for narrow, wide in ((0, 2), (0, 5), (2, 10), (5, 30)):
        found[f"hr_contrast_{narrow}_{wide}"] = _scaled(level[narrow], level[wide], spread)
    for width in (1, 2, 5, 10, 20):
        _add_deviation(found, f"hr_deviation_{width}", _windows(rate, width, width, deviation), causal=False)
    steps = _steps(rate)
    for width in (1, 3, 8, 20):
        _add_deviation(found, f"hr_step_{width}", _windows(steps, width, width, mean), causal=False)
    for width in (2, 5, 10, 20):
        found[f"hr_slope_{width}"] = _scaled(
            _windows(rate, -1, width, mean), _windows(rate, width, -1, mean), spread)
    _add_extremes(found, rate, 5, 5, spread)
    _add_envelope(found, level[2], 60, 60, spread)
    found["hr_rank_2"] = _ranks(level[2])
    found["hr_deviation_rank_5"] = _ranks(found["hr_deviation_5"])
    for shift in (-30, -20, -10, 10, 20, 30):
        for name in ("hr_deviation_5_ratio", "hr_step_3_ratio", "hr_contrast_2_10"):
            found[f"{name}_at_{shift:+d}"] = _shifted(found[name], shift)
    return found


def _causal_heart_rate(rate: Series) -> dict[str, Series]:
    found: dict[str, Series] = {}
    spread = _spread(rate, causal=True)
    middle, low = _quantiles(rate, 0.5, causal=True), _quantiles(rate, 0.1, causal=True)
    level = {width: _windows(rate, width, 0, mean) for width in (0, 2, 4, 10, 20, 60)}
    for width in level:
        found[f"hr_level_{width}"] = _scaled(level[width], middle, spread)
        found[f"hr_above_low_{width}"] = _scaled(level[width], low, spread)
    for narrow, wide in ((0, 4), (2, 10), (4, 20), (10, 60)):
        found[f"hr_contrast_{narrow}_{wide}"] = _scaled(level[narrow], level[wide], spread)
    for width in (2, 4, 10, 20, 40):
        _add_deviation(found, f"hr_deviation_{width}", _windows(rate, width, 0, deviation), causal=True)
    steps = _steps(rate)
    for width in (1, 4, 10, 30):
        _add_deviation(found, f"hr_step_{width}", _windows(steps, width, 0, mean), causal=True)
    for width in (3, 6, 12):
        found[f"hr_slope_{width}"] = _scaled(
            _windows(rate, width - 1, 0, mean), _windows(rate, 2 * width - 1, -width, mean), spread)
    _add_extremes(found, rate, 5, 0, spread)
    _add_envelope(found, level[2], 60, 0, spread)
    for shift in (-40, -20, -10):
        for name in ("hr_deviation_4_ratio", "hr_step_4_ratio", "hr_contrast_2_10"):
            found[f"{name}_at_{shift:+d}"] = _shifted(found[name], shift)
    return found


def _movement(movement: Series) -> dict[str, Series]:
    ratio = _movement_ratio(movement, causal=False)
    found = {f"mv_{width}": _windows(ratio, width, width, mean) for width in (0, 1, 3, 8, 20)}
    for before, after in ((5, 0), (0, 5), (12, 12)):
        found[f"mv_largest_{before}_{after}"] = _windows(ratio, before, after, largest)
    found["mv_since"] = _stillness(ratio)
    found["mv_until"] = _stillness(ratio[::-1])[::-1]
    found["mv_still"] = [min(pair) for pair in zip(found["mv_since"], found["mv_until"])]
    return found


def _causal_movement(movement: Series) -> dict[str, Series]:
    ratio = _movement_ratio(_shifted(movement, -MOVEMENT_DELAY), causal=True)
    found = {f"mv_{width}": _windows(ratio, width, 0, mean) for width in (0, 2, 5, 12, 30)}
    for before in (5, 12):
        found[f"mv_largest_{before}_0"] = _windows(ratio, before, 0, largest)
    found["mv_since"] = _stillness(ratio)
    moving = [NAN if value != value else float(value > MOVEMENT_THRESHOLD) for value in ratio]
    found["mv_share_19"] = _windows(moving, 19, 0, mean)
    return found


# Aggregates of the values of a window; `size` is its length at the edges too, missing values included.


def mean(values: Series, size: int) -> float:
    """Returns the mean of at least half a window, NaN for less."""
    if not values or 2 * len(values) < size:
        return NAN
    return sum_of(values) / len(values)


def deviation(values: Series, size: int) -> float:
    """Returns the sample standard deviation (n - 1) of at least half a window and two values, NaN for less."""
    if len(values) < 2 or 2 * len(values) < size:
        return NAN
    middle = sum_of(values) / len(values)
    return math.sqrt(sum_of((value - middle) * (value - middle) for value in values) / (len(values) - 1))


def largest(values: Series, size: int) -> float:
    """Returns the largest of any number of values, NaN for none."""
    return max(values, default=NAN)


def smallest(values: Series, size: int) -> float:
    """Returns the smallest of any number of values, NaN for none."""
    return min(values, default=NAN)


def quantile(ordered: Series, share: float) -> float:
    """Returns a quantile of ascending values at position (n - 1) · share, linear between neighbours; NaN for none."""
    if not ordered:
        return NAN
    position = (len(ordered) - 1) * share
    index = int(position)
    if position == index:
        return ordered[index]
    return ordered[index] + (ordered[index + 1] - ordered[index]) * (position - index)


def sum_of(values: Iterable[float]) -> float:
    """Returns the sum in the order of time; `sum` of newer Pythons compensates, which Swift does not."""
    total = 0.0
    for value in values:
        total += value
    return total


def _windows(series: Series, before: int, after: int, aggregate: Callable[[Series, int], float]) -> Series:
    """Returns the aggregate of epochs e - before … e + after, for each e, without those outside of the night."""
    found = []
    for epoch in range(len(series)):
        window = series[max(epoch - before, 0):max(epoch + after + 1, 0)]
        found.append(aggregate([value for value in window if value == value], len(window)))
    return found


def _quantiles(series: Series, share: float, causal: bool) -> Series:
    """Returns for each epoch the quantile of the night, or of all epochs until this one."""
    if not causal:
        return [quantile(sorted(value for value in series if value == value), share)] * len(series)
    ordered: Series = []
    found = []
    for value in series:
        if value == value:
            insort(ordered, value)
        found.append(quantile(ordered, share))
    return found


def _spread(rate: Series, causal: bool) -> Series:
    pairs = zip(_quantiles(rate, 0.9, causal), _quantiles(rate, 0.1, causal))
    return [NAN if high != high else max(high - low, LEAST_SPREAD) for high, low in pairs]


def _scaled(first: Series, second: Series, spread: Series) -> Series:
    return [(one - other) / scale for one, other, scale in zip(first, second, spread)]


def _steps(rate: Series) -> Series:
    return [NAN] + [abs(later - earlier) for earlier, later in zip(rate, rate[1:])]


def _shifted(series: Series, shift: int) -> Series:
    """Returns for each epoch e the value at e + shift, NaN outside of the night."""
    return [series[epoch + shift] if 0 <= epoch + shift < len(series) else NAN for epoch in range(len(series))]


def _ranks(series: Series) -> Series:
    """Returns for each epoch the share of the night's values below it, half of the equal ones included."""
    ordered = sorted(value for value in series if value == value)
    return [
        NAN if value != value else (bisect_left(ordered, value) + bisect_right(ordered, value)) / 2 / len(ordered)
        for value in series
    ]


def _add_deviation(found: dict[str, Series], name: str, values: Series, causal: bool) -> None:
    """Adds deviations, and their ratio to the median of the night (until this epoch)."""
    found[name] = values
    middle = _quantiles(values, 0.5, causal)
    found[f"{name}_ratio"] = [
        (one + DEVIATION_OFFSET) / (other + DEVIATION_OFFSET) for one, other in zip(values, middle)]


def _add_extremes(found: dict[str, Series], rate: Series, before: int, after: int, spread: Series) -> None:
    middle = _windows(rate, before, after, mean)
    found["hr_largest"] = _scaled(_windows(rate, before, after, largest), middle, spread)
    found["hr_smallest"] = _scaled(_windows(rate, before, after, smallest), middle, spread)


def _add_envelope(found: dict[str, Series], level: Series, before: int, after: int, spread: Series) -> None:
    found["hr_above_floor"] = _scaled(level, _windows(level, before, after, smallest), spread)
    found["hr_below_roof"] = _scaled(_windows(level, before, after, largest), level, spread)


def _movement_ratio(movement: Series, causal: bool) -> Series:
    """Returns movement over its 90th percentile. Where that is zero, any movement is as much as the percentile."""
    found = []
    for value, scale in zip(movement, _quantiles(movement, 0.9, causal)):
        if value != value:
            found.append(NAN)
        elif scale > 0:
            ratio = value / scale
            found.append(0.0 if ratio < MOVEMENT_FLOOR else min(ratio, MOVEMENT_CEILING))
        else:
            found.append(1.0 if value > 0 else 0.0)
    return found


def _stillness(ratio: Series) -> Series:
    """Returns the epochs since the last movement; a missing value counts as none, and the night begins still."""
    found = []
    count = LONGEST_STILLNESS
    for value in ratio:
        count = 0 if value > MOVEMENT_THRESHOLD else min(count + 1, LONGEST_STILLNESS)
        found.append(float(count))
    return found
