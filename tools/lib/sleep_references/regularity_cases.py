"""Random nights of some weeks, and their sleep regularity index by its definition."""

from __future__ import annotations

import random
from typing import Any

from hypnogram_cases import hypnogram, runs

EPOCH, DAY, LONGEST_WAKE = 30, 2880, 36 * 120
# 2026-03-02T22:00Z, in epochs since 1970.
START = 1_772_488_800 // EPOCH

STAGES = ["nrem", "nrem", "rem", "asleep", "wake", "unknown"]

Nights = list[tuple[int, list[str]]]


def weeks(source: random.Random, days: int, spread: int, missing: set[int]) -> Nights:
    """Returns a night for each day but the missing ones, that begins up to `spread` epochs early or late."""
    nights: Nights = []
    for day in range(days):
        start = START + day * DAY + source.randint(-spread, spread)
        stages = hypnogram(source, STAGES, source.randint(700, 1000), source.randint(0, 60))
        if day not in missing:
            nights.append((start, stages))
    return nights


def index(nights: Nights) -> float:
    """Returns the index: every time that is known is compared with the one a day later."""
    first, last = nights[0][0], max(start + len(stages) for start, stages in nights)
    known: list[bool | None] = [None] * (last - first)
    for (start, stages), following in zip(nights, [*nights[1:], None]):
        for place, stage in enumerate(stages):
            known[start - first + place] = None if stage == "unknown" else stage != "wake"
        end = start + len(stages)
        if following and following[0] - end <= LONGEST_WAKE:
            for place in range(end, following[0]):
                known[place - first] = False
    pairs = [(one, other) for one, other in zip(known, known[DAY:]) if one is not None and other is not None]
    return -100 + 200 * sum(one == other for one, other in pairs) / len(pairs)


def regularity_cases() -> list[dict[str, Any]]:
    """Returns the cases of regularity.json; starts are in seconds since 1970."""
    source, cases = random.Random(7), []
    for name, days, spread, missing in [
        ("regular", 7, 10, set()), ("irregular", 14, 300, set()), ("a missing night", 10, 60, {4}),
        ("two missing nights", 12, 120, {3, 8}),
    ]:
        nights = weeks(source, days, spread, missing)
        cases.append({
            "name": name, "starts": [start * EPOCH for start, _ in nights],
            "nights": [runs(stages) for _, stages in nights], "index": round(index(nights), 10)})
    return cases
