"""The series of Fixtures/conformance. README.md there says the same in words."""

from __future__ import annotations

from synthetic import SplitMix64, modulated, on_ticks

__all__ = ["alternating", "beyond_nyquist", "breathing", "flank", "noise", "on_ticks", "pattern", "ramp", "two_levels",
           "walk", "with_jumps"]


def alternating(one: float, other: float, count: int) -> list[float]:
    """one, other, one, …"""
    return [float(other if index % 2 else one) for index in range(count)]


def pattern(cycle: tuple[float, ...], times: int) -> list[float]:
    """A repeated cycle."""
    return [float(value) for value in cycle] * times


def ramp(first: float, step: float, count: int) -> list[float]:
    """An arithmetic progression."""
    return [first + step * index for index in range(count)]


def noise(seed: int, count: int, mean: float, deviation: float) -> list[float]:
    """Independent: mean + deviation · bell()."""
    random = SplitMix64(seed)
    return [mean + deviation * random.bell() for _ in range(count)]


def walk(seed: int, count: int, mean: float, step: float) -> list[float]:
    """Sums of noise with a drift to the mean: offset ← 0.98 · offset + step · bell()."""
    random, offset, values = SplitMix64(seed), 0.0, []
    for _ in range(count):
        offset = 0.98 * offset + step * random.bell()
        values.append(mean + offset)
    return values


def breathing(seed: int, seconds: float) -> list[float]:
    """Waves at 0.02, 0.1 and 0.27 Hz of 25, 20 and 30 ms around 850 ms, plus 5 ms · bell() for each interval."""
    random = SplitMix64(seed)
    return [value + 5 * random.bell() for value in modulated(seconds, 850, ((25, 0.02), (20, 0.1), (30, 0.27)))]


def flank(seconds: float) -> list[float]:
    """A wave of 40 ms at 0.149 Hz around 800 ms."""
    return modulated(seconds, 800, ((40, 0.149),))


def beyond_nyquist(seed: int, seconds: float) -> list[float]:
    """Waves of 30 ms at 0.36 Hz and of 200 ms at 0.008 Hz around 1500 ms: unequal intervals resolve frequencies that
    equal ones would alias. Plus 2 ms · bell() for each interval."""
    random = SplitMix64(seed)
    return [value + 2 * random.bell() for value in modulated(seconds, 1500, ((30, 0.36), (200, 0.008)))]


def two_levels() -> list[float]:
    """300 s of 800 ms, then 300 s of 750 ms."""
    return [800.0] * 375 + [750.0] * 400


def with_jumps(count: int, jumps: int) -> list[float]:
    """800 ms, with `jumps` single intervals of 810 ms, each the eleventh of eleven."""
    return [810.0 if index % 11 == 10 and index < 11 * jumps else 800.0 for index in range(count)]
