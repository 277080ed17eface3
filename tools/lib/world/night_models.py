"""Stages by trees: read from the files of nights, they are those of the reference implementation in tools/lib/sleep."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

from outcome import Outcome

SLEEP = Path(__file__).resolve().parents[1] / "sleep"
MODELS = SLEEP.parents[2] / "Sources/CSleepModels/trees"
STAGES = ("wake", "light", "deep", "rem")
RELATIVE, ABSOLUTE = 1e-9, 1e-12
# For a night of eight hours.
SECONDS, NIGHT_EPOCHS = 0.5, 960


def check_night_models(binary: Path, world: Path) -> list[Outcome]:
    """Checks features, probabilities, stages and the time that they take."""
    values = Outcome("sleep trees: the reference's, 1e-9", "values")
    stages = Outcome("sleep trees: the reference's stages", "epochs")
    worst = [0.0, 0.0]
    folder = world / "sleep"
    nights = [{"heartRate": path, "movement": path.with_name(path.name.replace("_hr.txt", "_motion.tsv"))}
              for path in sorted((folder / "walch_hr").glob("*_hr.txt"))]
    nights += [{"rr": path} for path in sorted((folder / "slpdb").glob("*_rr.tsv"))]
    for night in nights:
        _check_night(binary, night, values, stages, worst)
    values.remark, stages.remark = f"worst {worst[0]:.1e}", f"at most {worst[1] * 1000:.0f} ms for eight hours"
    return [values, stages]


def _check_night(
    binary: Path, night: dict[str, Path], values: Outcome, stages: Outcome, worst: list[float]
) -> None:
    line = json.dumps({"files": {name: str(path) for name, path in night.items()}}) + "\n"
    done = subprocess.run([binary], input=line, capture_output=True, text=True, timeout=120)
    where = " ".join(path.name for path in night.values())
    if done.returncode != 0:
        values.problem(where, done.stderr.strip() or f"exit {done.returncode}")
        return
    found = json.loads(done.stdout)
    wanted = sorted(path.stem for path in MODELS.glob("*.json") if "movement" in night or "movement" not in path.stem)
    if sorted(found["models"]) != wanted:
        values.problem(where, f"models {sorted(found['models'])} instead of {wanted}")
    for name in wanted:
        result, reference = found["models"].get(name, {}), _reference(name, night)
        place = f"{where} {name}"
        for series in ("heartRate", "movement"):
            _compare(f"{place} {series}", found.get(series), reference[series], values, worst)
        if sorted(result["features"]) != sorted(reference["features"]):
            values.problem(place, "has other features")
        for feature, expected in reference["features"].items():
            _compare(f"{place} {feature}", result["features"].get(feature), expected, values, worst)
        for epoch, (row, expected) in enumerate(zip(result["probabilities"], reference["probabilities"], strict=True)):
            _compare(f"{place} epoch {epoch}", row, expected, values, worst)
        expected_stages = [STAGES[stage] for stage in reference["stages"]]
        stages.examined += len(expected_stages)
        if result["stages"] != expected_stages:
            differing = sum(one != other for one, other in zip(result["stages"], expected_stages))
            stages.problem(place, f"{differing} of {len(expected_stages)} epochs differ")
        seconds = result["seconds"] * NIGHT_EPOCHS / len(expected_stages)
        worst[1] = max(worst[1], seconds)
        if seconds > SECONDS:
            stages.problem(place, f"takes {seconds:.3f} s for eight hours")


def _reference(model: str, night: dict[str, Path]) -> dict[str, Any]:
    options = {"rr": "--rr", "heartRate": "--heart-rate", "movement": "--movement"}
    files = [text for name, path in night.items() for text in (options[name], str(path))]
    command = [sys.executable, "-B", str(SLEEP / "reference.py"), str(MODELS / f"{model}.json"), *files]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    reference: dict[str, Any] = json.loads(done.stdout)
    return reference


def _compare(
    where: str, found: list[Any] | None, wanted: list[float | None] | None, outcome: Outcome, worst: list[float]
) -> None:
    """Compares values; missing ones are null in the reference, and a text in what the program writes."""
    if found is None or wanted is None:
        if found is not wanted:
            outcome.problem(where, "has a series that the other has not")
        return
    if len(found) != len(wanted):
        outcome.problem(where, f"{len(found)} values instead of {len(wanted)}")
    for place, (value, expected) in enumerate(zip(found, wanted)):
        outcome.examined += 1
        if expected is None or isinstance(value, str):
            if expected is not None or value != "nan":
                outcome.problem(f"{where} {place}", f"{value} instead of {expected}")
        elif not math.isclose(value, expected, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
            outcome.problem(f"{where} {place}", f"{value} instead of {expected}")
        elif abs(expected) > ABSOLUTE:
            worst[0] = max(worst[0], abs(value - expected) / abs(expected))
