"""The networks of SleepECG 0.6.0 (BSD-3-Clause, Florian Hofer and Clemens Brunner), unchanged, in numpy."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from network_features import MISSING, network_features, network_input
from nights import normal_beats

UNITS = 8
BATCH_EPSILON = 0.001


@dataclass(frozen=True)
class Network:
    """The weights of a network, and its window in seconds before and after the start of an epoch."""

    name: str
    before: int
    after: int
    # The classes of its output; the first is undefined.
    classes: tuple[str, ...]
    weights: dict[str, np.ndarray]
    # Start of the recording, age and gender at the mean of its training, for when they are not known.
    neutral: tuple[float, float, float]

    @classmethod
    def read(cls, folder: Path, name: str) -> Network:
        """Returns a network of the folder `sleepecg`. Ends when the weights are not those of their index."""
        index = json.loads((folder / f"weights_{name}.json").read_text())
        data = (folder / f"weights_{name}.bin").read_bytes()
        if hashlib.sha256(data).hexdigest() != index["sha256"]:
            raise SystemExit(f"sleep: weights_{name}.bin is not what weights_{name}.json describes")
        values = np.frombuffer(data, "<f4")
        weights = {
            tensor["name"]: values[tensor["offset_floats"]:tensor["offset_floats"] + tensor["count"]].reshape(tensor["shape"])
            for tensor in index["tensors"]}
        window = index["classifier_info"]["feature_extraction_params"]
        classes = ("undefined", "sleep", "wake") if name.startswith("ws") else ("undefined", "NREM", "REM", "wake")
        start, age, gender = (float(one) for one in weights["bn.moving_mean"][33:])
        return cls(name, window["lookback"], window["lookforward"], classes, weights, (start, age, gender))

    def chances(self, rows: np.ndarray) -> np.ndarray:
        """Returns the probabilities of the classes for epochs × 36 inputs."""
        weights = self.weights
        masked = (rows == MISSING).all(1)
        values = np.where(masked[:, None], np.float32(0), rows)
        values = (values - weights["bn.moving_mean"]) / np.sqrt(weights["bn.moving_variance"] + np.float32(BATCH_EPSILON))
        values = values * weights["bn.gamma"] + weights["bn.beta"]
        values = np.maximum(values @ weights["dense.kernel"] + weights["dense.bias"], 0)
        for layer in ("gru1", "gru2"):
            forward = self._recurrent(f"{layer}.forward", values, masked)
            backward = self._recurrent(f"{layer}.backward", values[::-1], masked[::-1])[::-1]
            values = np.hstack([forward, backward])
        scores = values @ weights["out.kernel"] + weights["out.bias"]
        powers = np.exp(scores - scores.max(1, keepdims=True))
        found: np.ndarray = powers / powers.sum(1, keepdims=True)
        return found

    def of_beats(self, times: np.ndarray, epochs: int, metadata: tuple[float, float, float] | None) -> np.ndarray:
        """Returns the probabilities for the epochs of a recording with beats at these times in seconds."""
        found = network_features(times, epochs, self.before, self.after)
        return self.chances(network_input(found, metadata))

    def _recurrent(self, name: str, values: np.ndarray, masked: np.ndarray) -> np.ndarray:
        kernel, recurrent, bias = (self.weights[f"{name}.{part}"] for part in ("kernel", "recurrent_kernel", "bias"))
        inputs = values @ kernel + bias[0]
        state, found = np.zeros(UNITS, np.float32), np.zeros((len(values), UNITS), np.float32)
        for epoch, row in enumerate(inputs):
            if masked[epoch]:
                continue
            own = state @ recurrent + bias[1]
            update, reset = (_sigmoid(row[part] + own[part]) for part in (slice(0, 8), slice(8, 16)))
            candidate = np.tanh(row[16:] + reset * own[16:])
            state = update * state + (1 - update) * candidate
            found[epoch] = state
        return found


def worst_difference(network: Network, folder: Path) -> tuple[float, float]:
    """Returns the largest differences to the package's output on its reference nights: of probabilities from the package's
    features, and from features of this program, where all three values of metadata are known."""
    given, own = 0.0, 0.0
    for path in sorted(folder.glob("slp*.json")):
        reference = json.loads(path.read_text())
        columns = np.array(reference["features_N256"][network.name.split("-")[0]], dtype=float)
        metadata = tuple(reference["metadata_values"][network.name]["full"])
        expected = np.array(reference["probabilities_N256"][network.name]["full"])
        given = max(given, float(np.abs(network.chances(network_input(columns, metadata)) - expected).max()))
        times = np.array(normal_beats(folder.parent / "slpdb" / f"{path.stem}_rr.tsv"))
        own = max(own, float(np.abs(network.of_beats(times, len(expected), metadata) - expected).max()))
    return given, own


def _sigmoid(values: np.ndarray) -> np.ndarray:
    found: np.ndarray = 1 / (1 + np.exp(-values))
    return found
