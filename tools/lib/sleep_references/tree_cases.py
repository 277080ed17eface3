"""Random heart rates and movement by epochs, and what the reference implementation of tools/lib/sleep makes of them."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

SLEEP = Path(__file__).resolve().parents[1] / "sleep"
MODELS = SLEEP.parents[2] / "Sources/CSleepModels/trees"
sys.path.append(str(SLEEP))

from estimator import Estimator  # noqa: E402
from features import NAN, Series, features  # noqa: E402

DIGITS = 13
INPUTS = ("heart-rate-movement", "heart-rate", "movement")


def heart_rate(seed: int, epochs: int, missing: float = 0.03, digits: int = 3) -> Series:
    """Returns a heart rate that drifts, with jumps, gaps and missing values, in beats a minute."""
    source, level, values = random.Random(seed), 64.0, []
    while len(values) < epochs:
        level += source.gauss(0, 0.5) + 0.02 * (60 - level)
        if source.random() < 0.02:
            level += source.uniform(3, 15)
        if source.random() < 0.01:
            values += [NAN] * source.choice([3, 12, 40])
        values.append(NAN if source.random() < missing else round(level + source.gauss(0, 1.5), digits))
    return values[:epochs]


def movement(seed: int, epochs: int, moving: float = 0.15) -> Series:
    """Returns movement that is mostly zero, with bursts and missing values."""
    source, values = random.Random(seed), []
    while len(values) < epochs:
        if source.random() < moving / 5:
            values += [round(source.expovariate(0.05), 6) for _ in range(source.choice([1, 4, 10]))]
        if source.random() < 0.01:
            values += [NAN] * source.choice([2, 9])
        values.append(0.0 if source.random() < 0.7 else round(source.expovariate(2), 6))
    return values[:epochs]


def nights() -> list[tuple[str, int, Series | None, Series | None]]:
    """Returns the nights: name, the step between epochs whose features are held, heart rate, movement."""
    return [
        ("long", 13, heart_rate(1, 330), movement(2, 330)),
        ("whole numbers, so that many are equal", 9, heart_rate(3, 150, digits=0), movement(4, 150, moving=0.6)),
        ("no movement", 10, heart_rate(5, 80), None),
        ("heart rate missing", 10, None, movement(6, 80)),
        ("movement in one epoch alone", 8, heart_rate(7, 60, missing=0.4), [0.0] * 30 + [3.0] + [0.0] * 29),
        ("constant", 8, [60.0] * 40, [0.0] * 40),
        ("nothing known", 4, [NAN] * 8, [NAN] * 8),
        ("one epoch", 1, [61.5], [0.25]),
        ("two epochs", 1, [61.5, 66.0], [NAN, 0.5]),
    ]


def tree_cases() -> list[dict[str, Any]]:
    """Returns the cases of trees.json."""
    return [
        _case(name, step, rate, moved, causal) for name, step, rate, moved in nights() for causal in (False, True)]


def _case(name: str, step: int, rate: Series | None, moved: Series | None, causal: bool) -> dict[str, Any]:
    found = features(rate, moved, causal)
    names = sorted(found)
    held = range(0, len(found["time"]), step)
    models = {}
    for inputs in INPUTS:
        if ("heart-rate" in inputs and rate is None) or ("movement" in inputs and moved is None):
            continue
        estimator = Estimator.read(MODELS / f"{inputs}-{'causal' if causal else 'night'}.json")
        chances = [estimator.chances(row) for row in estimator.rows(rate, moved)]
        chain = estimator.chain(chances)
        models[inputs] = {
            "trees": [_plain(chances[epoch]) for epoch in held], "chain": [_plain(chain[epoch]) for epoch in held],
            "stages": "".join(map(str, estimator.stages(rate, moved)))}
    return {
        "name": name, "isCausal": causal, "step": step, "heartRate": _plain(rate), "movement": _plain(moved),
        "names": names, "features": [_plain([found[one][epoch] for one in names]) for epoch in held], "models": models}


def _plain(values: Series | None) -> list[float | None] | None:
    """Returns values for JSON: null for missing ones."""
    if values is None:
        return None
    return [None if value != value else float(f"{value:.{DIGITS}g}") for value in values]
