"""The probabilities of the networks, computed from the embedded weights in float64, for the made-up nights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from feature_cases import features, nights, plain

WEIGHTS = Path(__file__).resolve().parents[3] / "Sources/CSleepModels/weights"
MODELS = {"ws-gru-mesa": ("sleepWake", 3), "wrn-gru-mesa": ("wakeNREMREM", 4),
          "wrn-gru-mesa-weighted": ("wakeNREMREM", 4)}
INPUTS, HIDDEN, UNITS = 36, 64, 8
# Start, age and gender; NaN where unknown.
SLEEPERS = [(83_520.0, 51.0, 1.0), (float("nan"),) * 3, (76_000.0, 28.0, 0.0)]


class Weights:
    """The tensors of a file, one after the other."""

    def __init__(self, name: str) -> None:
        """Reads the file."""
        self._values = np.fromfile(WEIGHTS / f"{name}.bin", dtype="<f4").astype(float)
        self._place = 0

    def next(self, *shape: int) -> np.ndarray:
        """Returns the next tensor."""
        count = int(np.prod(shape))
        values = self._values[self._place:self._place + count]
        self._place += count
        return values.reshape(shape)

    def end(self) -> None:
        """Checks that all was read."""
        if self._place != len(self._values):
            raise ValueError(f"{len(self._values) - self._place} weights are left")


def sigmoid(values: np.ndarray) -> np.ndarray:
    """Returns the logistic function without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * values))


def recurrent(rows: np.ndarray, weights: tuple[np.ndarray, ...]) -> np.ndarray:
    """Returns the states of a gated recurrent unit of Keras with reset_after."""
    kernel, inner, bias = weights
    state, states = np.zeros(UNITS), []
    for row in rows @ kernel + bias[0]:
        gates = state @ inner + bias[1]
        z, r = sigmoid(row[:8] + gates[:8]), sigmoid(row[8:16] + gates[8:16])
        state = z * state + (1 - z) * np.tanh(row[16:] + r * gates[16:])
        states.append(state)
    return np.array(states)


def probabilities(name: str, rows: np.ndarray) -> np.ndarray:
    """Returns the outputs of a network for rows of inputs."""
    weights, outputs = Weights(name), MODELS[name][1]
    gamma, beta, mean, variance = (weights.next(INPUTS) for _ in range(4))
    dense = weights.next(INPUTS, HIDDEN), weights.next(HIDDEN)
    layers = [
        [(weights.next(inputs, 24), weights.next(UNITS, 24), weights.next(2, 24)) for _ in range(2)]
        for inputs in (HIDDEN, 2 * UNITS)
    ]
    output = weights.next(2 * UNITS, outputs), weights.next(outputs)
    weights.end()
    rows = (rows - mean) / np.sqrt(variance + 0.001) * gamma + beta
    rows = np.maximum(0, rows @ dense[0] + dense[1])
    for forward, backward in layers:
        rows = np.hstack([recurrent(rows, forward), recurrent(rows[::-1], backward)[::-1]])
    logits = rows @ output[0] + output[1]
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def network_cases() -> list[dict[str, Any]]:
    """Returns the cases of network.json; the nights are those of features.json."""
    cases = []
    for number, night in enumerate(nights()):
        for model, (window, _) in MODELS.items():
            sleeper = SLEEPERS[number % len(SLEEPERS)]
            found = features(night, window)
            rows = np.hstack([found, np.tile(sleeper, (len(found), 1))])
            rows = np.where(np.isfinite(rows), rows, -1)
            cases.append({
                "name": night.name, "model": model, "sleeper": [plain(value) for value in sleeper],
                "probabilities": [[plain(value) for value in row] for row in probabilities(model, rows).tolist()]})
    return cases
