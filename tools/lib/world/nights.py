"""Nights with scored stages: features and probabilities are those of SleepECG, and stages agree with those scored."""

from __future__ import annotations

import json
import math
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outcome import Outcome

TICKS = 1024
EPOCH = 30
WINDOWS = {"ws": "sleepWake", "wrn": "wakeNREMREM"}
RECORDS = ("slp03", "slp14", "slp66")
# The references have nine digits; besides their rounding, features differ by less than this share.
FEATURES, DIGITS = 1e-9, 9
PROBABILITIES = 1e-5
# For a night of eight hours: features of both windows, and one pass of a network.
SECONDS_FEATURES, SECONDS_NETWORK = 1.0, 0.05
NIGHT_EPOCHS = 960
# The least kappa of sleep and wake of the heuristic on the nights with a watch; measured: docs/sleep_stages.md.
LEAST_KAPPA = 0.3


@dataclass(frozen=True)
class Staging:
    """The program that stages nights."""

    binary: Path

    def run(self, **night: Any) -> dict[str, Any]:
        """Returns what the program makes of a night."""
        line = json.dumps(night) + "\n"
        done = subprocess.run([self.binary], input=line, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise ValueError(done.stderr.strip() or f"exit {done.returncode}")
        result: dict[str, Any] = json.loads(done.stdout)
        return result


def check_nights(binary: Path, world: Path) -> list[Outcome]:
    """Checks features, probabilities and the time that they take, and the stages of the heuristic."""
    features = Outcome("sleep features: SleepECG's, 1e-9", "values")
    outputs = Outcome("sleep networks: SleepECG's, 1e-5", "values")
    speed = Outcome("sleep: time of a night", "times")
    staging, folder = Staging(binary), world / "sleep"
    worst = {"features": 0.0, "probabilities": 0.0}
    for record in RECORDS:
        path = folder / "sleepecg" / f"{record}.json"
        if not path.exists():
            features.problem(record, f"there is no {path}")
            continue
        reference = json.loads(path.read_text())
        values = reference["metadata_values"]
        variants = list(next(iter(reference["probabilities_N256"].values())))
        epochs = reference["n_epochs"]
        beats = _beats(folder / "slpdb" / f"{record}_rr.tsv")
        for model in reference["probabilities_N256"]:
            found = staging.run(epochs=epochs, beats=beats, sleepers=[values[model][name] for name in variants])
            _compare_features(record, found, reference, features, worst)
            for number, name in enumerate(variants):
                _compare_outputs(
                    f"{record} {model} {name}", found["probabilities"][model][number],
                    reference["probabilities_N256"][model][name], outputs, worst)
            _check_speed(record, found["seconds"], epochs, speed)
    features.remark = f"worst {worst['features']:.1e}"
    outputs.remark = f"worst {worst['probabilities']:.1e}"
    return [features, outputs, speed, _check_heuristic(staging, folder / "walch_hr")]


def _beats(path: Path) -> list[int]:
    """Returns the normal beats of a record on the grid of 1/256 s, in ticks."""
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    return [int(np.round(float(row[0]) * 256)) * TICKS // 256 for row in rows if row[3] == "N"]


def _compare_features(
    record: str, found: dict[str, Any], reference: dict[str, Any], outcome: Outcome, worst: dict[str, float]
) -> None:
    names = reference["feature_names_hrv"]
    for short, window in WINDOWS.items():
        infinite = {(epoch, column): text for epoch, column, text in reference["features_inf_N256"][short]}
        rows, expected = found["features"][window], reference["features_N256"][short]
        if len(rows) != len(expected):
            outcome.problem(record, f"{len(rows)} epochs instead of {len(expected)}")
        for epoch, (row, other) in enumerate(zip(rows, expected)):
            for column, (value, wanted) in enumerate(zip(row, other)):
                outcome.examined += 1
                where = f"{record} {window} epoch {epoch} {names[column]}"
                if wanted is None:
                    # Text stands for values that JSON cannot hold.
                    if value != infinite.get((epoch, column), "nan"):
                        outcome.problem(where, f"{value} instead of {infinite.get((epoch, column), 'no number')}")
                elif isinstance(value, str) or not _agree(value, wanted):
                    outcome.problem(where, f"{value} instead of {wanted}")
                elif wanted:
                    worst["features"] = max(worst["features"], abs(value - wanted) / abs(wanted) - _rounding(wanted))


def _rounding(wanted: float) -> float:
    """Returns the largest share by which a value may differ from its rounding to the digits of the references."""
    exponent = math.floor(math.log10(abs(wanted)))
    return float(0.5 * 10.0 ** (exponent - DIGITS + 1) / abs(wanted))


def _agree(value: float, wanted: float) -> bool:
    if wanted == 0:
        return value == 0
    return abs(value - wanted) <= (FEATURES + _rounding(wanted)) * abs(wanted)


def _compare_outputs(
    where: str, rows: list[list[float]], expected: list[list[float]], outcome: Outcome, worst: dict[str, float]
) -> None:
    if len(rows) != len(expected):
        outcome.problem(where, f"{len(rows)} epochs instead of {len(expected)}")
    for epoch, (row, other) in enumerate(zip(rows, expected)):
        for value, wanted in zip(row, other, strict=True):
            outcome.examined += 1
            error = abs(value - wanted) if isinstance(value, float) else math.inf
            worst["probabilities"] = max(worst["probabilities"], error)
            if not error <= PROBABILITIES:
                outcome.problem(f"{where} epoch {epoch}", f"{value} instead of {wanted}")


def _check_speed(record: str, seconds: dict[str, float], epochs: int, outcome: Outcome) -> None:
    share = NIGHT_EPOCHS / epochs
    outcome.examined += 1
    for name, taken in seconds.items():
        limit = SECONDS_FEATURES if name in WINDOWS.values() else SECONDS_NETWORK
        if taken * share > limit:
            outcome.problem(record, f"{name} takes {taken * share:.3f} s for eight hours")
    longest = {name: taken * share * 1000 for name, taken in seconds.items()}
    outcome.remark = ", ".join(f"{name} {taken:.0f} ms" for name, taken in sorted(longest.items()))


def _check_heuristic(staging: Staging, folder: Path) -> Outcome:
    """Checks that the heuristic tells sleep from wake on nights with a watch about as well as was measured."""
    outcome = Outcome("sleep heuristic: watch, sleep and wake", "nights")
    people: list[bool] = []
    found: list[bool] = []
    for path in sorted(folder.glob("*_motion.tsv")):
        motion = np.loadtxt(path, skiprows=1)
        rates = np.loadtxt(folder / path.name.replace("_motion.tsv", "_hr.txt"), delimiter=",")
        start, count = motion[0, 0], len(motion)
        # The watch sent some of them late.
        rates = rates[np.argsort(rates[:, 0], kind="stable")]
        rates = rates[(rates[:, 0] >= start) & (rates[:, 0] < start + count * EPOCH)]
        stages = staging.run(
            epochs=count, heartRates=[[round((time - start) * TICKS), rate] for time, rate in rates],
            movements=[[number * EPOCH * TICKS, value] for number, value in enumerate(motion[:, 2])],
        )["stages"]["five-minute-heuristic"]
        outcome.examined += 1
        for stage, scored in zip(stages, motion[:, 1], strict=True):
            if stage != "unknown" and scored >= 0:
                people.append(scored > 0)
                found.append(stage != "wake")
    kappa = cohen(np.array(people), np.array(found)) if people else math.nan
    if not kappa >= LEAST_KAPPA:
        outcome.problem("all nights", f"kappa is {kappa:.3f}; it was at least {LEAST_KAPPA}")
    outcome.remark = f"kappa {kappa:.2f}"
    return outcome


def cohen(one: np.ndarray, other: np.ndarray) -> float:
    """Returns Cohen's kappa of two sequences of labels."""
    labels = np.union1d(one, other)
    agreed = np.mean(one == other)
    chance = sum(np.mean(one == label) * np.mean(other == label) for label in labels)
    return float((agreed - chance) / (1 - chance))
