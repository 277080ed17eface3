"""The reference of one night, as JSON: reference.py MODEL [--heart-rate FILE | --rr FILE] [--movement FILE] [--epochs N]

MODEL is a file of Sources/CSleepModels/trees. Prints series, features by name, probabilities of the trees and of the chain, and stages; a
missing value is null. Needs no packages. Reads nothing of the scored stages.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

from estimator import Estimator
from features import features
from nights import beat_heart_rate, beats, movement_series, sample_times, sampled_heart_rate


def epochs_of(arguments: argparse.Namespace) -> int:
    """Returns the number of epochs: to the last movement, otherwise to the last sample or beat."""
    if arguments.epochs:
        count: int = arguments.epochs
        return count
    if arguments.movement:
        return len(movement_series(arguments.movement))
    times = sample_times(arguments.heart_rate) if arguments.heart_rate else [time for time, *_ in beats(arguments.rr)]
    return math.floor(max(times) / 30) + 1


def with_nulls(values: Any) -> Any:
    """Returns nested lists with null instead of NaN."""
    if isinstance(values, list):
        return [with_nulls(value) for value in values]
    return None if values != values else values


def main() -> None:
    """Prints the reference."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--heart-rate", type=Path)
    source.add_argument("--rr", type=Path)
    parser.add_argument("--movement", type=Path)
    parser.add_argument("--epochs", type=int)
    arguments = parser.parse_args()
    if not (arguments.heart_rate or arguments.rr or arguments.movement):
        parser.error("a night needs heart rate, beats or movement")
    estimator, count = Estimator.read(arguments.model), epochs_of(arguments)
    rate = movement = None
    if arguments.heart_rate:
        rate = sampled_heart_rate(arguments.heart_rate, count)
    elif arguments.rr:
        rate = beat_heart_rate(arguments.rr, count)
    if arguments.movement:
        movement = movement_series(arguments.movement, count)
    inputs = estimator.model["inputs"]
    for name, series in (("heart rate", rate), ("movement", movement)):
        if name in inputs and series is None:
            parser.error(f"the model needs {name}")
    rows = estimator.rows(rate, movement)
    chances = [estimator.chances(row) for row in rows]
    found = features(
        rate if "heart rate" in inputs else None, movement if "movement" in inputs else None, estimator.model["causal"])
    print(json.dumps({
        "heartRate": with_nulls(rate), "movement": with_nulls(movement),
        "features": {name: with_nulls(series) for name, series in found.items()},
        "treeProbabilities": chances, "probabilities": estimator.chain(chances), "stages": estimator.stages(rate, movement)}))


if __name__ == "__main__":
    main()
