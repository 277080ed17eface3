"""Random hypnograms, and the statistics that YASA computes from them."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

from yasa import Hypnogram

# The stages of this project with their names in YASA, by the number of stages of the hypnogram.
STAGES = {
    2: {"wake": "W", "asleep": "S"},
    3: {"wake": "W", "nrem": "NREM", "rem": "R"},
    4: {"wake": "W", "light": "LIGHT", "deep": "DEEP", "rem": "R"},
}
UNKNOWN = {"unknown": "UNS"}
# The changes to another stage, per epoch.
CHANGE = 0.12


def hypnogram(source: random.Random, stages: list[str], epochs: int, latency: int) -> list[str]:
    """Returns stages in runs, after some minutes awake."""
    values, current = ["wake"] * min(latency, epochs), "wake"
    while len(values) < epochs:
        if source.random() < CHANGE:
            current = source.choice(stages)
        values.append(current)
    return values


def runs(stages: list[str]) -> list[str]:
    """Returns stages as texts such as 12 nrem."""
    return [f"{len(list(run))} {stage}" for stage, run in itertools.groupby(stages)]


def hypnogram_cases() -> list[dict[str, Any]]:
    """Returns the cases of hypnograms.json: random ones, and some that are all of one stage or very short."""
    source, cases = random.Random(20), []
    for number in range(21):
        kind = (2, 3, 4)[number % 3]
        stages = list(STAGES[kind]) + (["unknown"] if number % 2 else [])
        epochs = source.choice([30, 120, 400, 960])
        cases.append((f"random {number + 1}", kind, hypnogram(source, stages, epochs, source.choice([0, 5, 40]))))
    cases += [
        ("no sleep", 4, ["wake"] * 50),
        ("all asleep", 2, ["asleep"] * 50),
        ("one epoch of sleep", 4, ["rem"]),
        ("one epoch of wake", 2, ["wake"]),
        ("one epoch that is unknown", 3, ["unknown"]),
        ("sleep at both ends", 3, ["rem", *["wake"] * 30, "nrem"]),
        ("five minutes less an epoch, then five minutes", 2, ["asleep"] * 9 + ["wake"] + ["asleep"] * 10),
        ("unknown between sleep and wake", 2, ["asleep"] * 4 + ["unknown"] + ["wake"] * 3 + ["asleep"] * 4),
    ]
    return [_case(*case) for case in cases]


def _case(name: str, kind: int, values: list[str]) -> dict[str, Any]:
    names = STAGES[kind] | UNKNOWN
    statistics = Hypnogram([names[value] for value in values], n_stages=kind, freq="30s").sleep_statistics()
    plain = {key: None if math.isnan(value) else float(value) for key, value in statistics.items()}
    return {"name": name, "stages": runs(values), "statistics": plain}
