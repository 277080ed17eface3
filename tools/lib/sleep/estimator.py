"""The estimator of a model file in plain Python, as README.md defines it: the reference of the Swift implementation."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from features import Series, features

CLASSES = 4


class Estimator:
    """Trees for the classes of one epoch, and a chain over epochs."""

    def __init__(self, model: dict[str, Any]) -> None:
        self.model = model

    @classmethod
    def read(cls, path: Path) -> Estimator:
        """Returns the estimator of a model file."""
        return cls(json.loads(path.read_text()))

    def rows(self, heart_rate: Series | None, movement: Series | None) -> list[list[float]]:
        """Returns the features of each epoch in the order of the model."""
        inputs = self.model["inputs"]
        found = features(
            heart_rate if "heart rate" in inputs else None, movement if "movement" in inputs else None,
            self.model["causal"])
        return [list(row) for row in zip(*(found[name] for name in self.model["features"]))]

    def stages(self, heart_rate: Series | None, movement: Series | None) -> list[int]:
        """Returns the stage of each epoch."""
        chances = [self.chances(row) for row in self.rows(heart_rate, movement)]
        weights = self.model["weights"]
        return [
            max(range(CLASSES), key=lambda index: (row[index] * weights[index], -index)) for row in self.chain(chances)
        ]

    def chances(self, row: list[float]) -> list[float]:
        """Returns the probabilities of the classes of an epoch by its features."""
        scores = [0.0] * CLASSES
        for number, tree in enumerate(self.model["trees"]):
            scores[number % CLASSES] += _leaf(tree, row)
        highest = max(scores)
        powers = [math.exp(score - highest) for score in scores]
        total = powers[0] + powers[1] + powers[2] + powers[3]
        return [power / total for power in powers]

    def chain(self, chances: list[list[float]]) -> list[list[float]]:
        """Returns the probabilities of the classes by all epochs; in a causal model by those until each one."""
        shares, moves = self.model["shares"], self.model["transitions"]
        evidence = [
            [(row[index] / shares[index]) ** self.model["exponent"] for index in range(CLASSES)] for row in chances]
        forward: list[list[float]] = []
        for epoch, row in enumerate(evidence):
            before = self.model["start"] if epoch == 0 else [
                sum(forward[-1][source] * moves[source][index] for source in range(CLASSES)) for index in range(CLASSES)]
            forward.append(_normalised([before[index] * row[index] for index in range(CLASSES)]))
        if self.model["causal"]:
            return forward
        found = [list(row) for row in forward]
        backward = [1.0] * CLASSES
        for epoch in range(len(evidence) - 2, -1, -1):
            later = [evidence[epoch + 1][index] * backward[index] for index in range(CLASSES)]
            backward = _normalised(
                [sum(moves[index][target] * later[target] for target in range(CLASSES)) for index in range(CLASSES)])
            found[epoch] = _normalised([forward[epoch][index] * backward[index] for index in range(CLASSES)])
        return found


def _leaf(tree: dict[str, list[Any]], row: list[float]) -> float:
    """Returns the value of the leaf of a row. Children are nodes from 0 on; leaf n is -1 - n."""
    node = 0
    while node >= 0:
        value = row[tree["feature"][node]]
        goes_left = tree["missingLeft"][node] == 1 if value != value else value <= tree["threshold"][node]
        node = tree["left"][node] if goes_left else tree["right"][node]
    leaf: float = tree["leaf"][-1 - node]
    return leaf


def _normalised(values: list[float]) -> list[float]:
    total = values[0] + values[1] + values[2] + values[3]
    return [value / total for value in values]
