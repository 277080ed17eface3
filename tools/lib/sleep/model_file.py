"""Model files: what they hold, and where they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from chain import Chain
from forest import exported
from nights import Night
from scores import Interval
from selection import Bench, Choice, Shape

MODELS = Path(__file__).resolve().parents[3] / "Sources/CSleepModels/trees"
ATTRIBUTION = (
    "Contains information from \"Motion and heart rate from a wrist-worn wearable and labeled sleep from polysomnography\" "
    "(sleep-accel) 1.0.0 by Olivia Walch, PhysioNet, https://doi.org/10.13026/hmhs-py35, which is made available under the "
    "Open Data Commons Attribution License v1.0, https://opendatacommons.org/licenses/by/1-0/. Publication: Walch, Huang, "
    "Forger, Goldstein, Sleep 42(12), 2019, https://doi.org/10.1093/sleep/zsz180. PhysioNet: Goldberger et al., "
    "Circulation 101(23), e215-e220, 2000.")


def model_of(bench: Bench, choice: Choice, nights: Sequence[Night], agreement: dict[str, Interval]) -> dict[str, Any]:
    """Returns the content of a model file, trained with all nights. `agreement` is what left-out nights have."""
    everyone = range(len(nights))
    chain: Chain = bench.chain(everyone)
    return {
        "format": "sleep stages from trees and a chain, version 1",
        "attribution": ATTRIBUTION,
        "origin": f"trained by tools/bench sleep --train with {len(nights)} nights of sleep-accel",
        "title": bench.variant.title, "inputs": list(bench.variant.inputs), "causal": bench.variant.causal,
        "classes": ["wake", "light", "deep", "rem"], "epochSeconds": 30,
        "agreement": {name: [round(one.value, 3), round(one.low, 3), round(one.high, 3)] for name, one in agreement.items()},
        "shape": {"context": choice.shape.context, "level": choice.shape.level, "leaves": choice.shape.leaves,
                  "rounds": choice.shape.rounds},
        "exponent": choice.exponent, "weights": list(choice.weights),
        "shares": _rounded(chain.shares), "start": _rounded(chain.start),
        "transitions": [_rounded(row) for row in chain.transitions],
        "features": bench.chosen_names(choice.shape),
        "trees": exported(bench.trained(choice.shape, everyone)),
    }


def choice_of(model: dict[str, Any]) -> Choice:
    """Returns the choice that a model was trained with."""
    return Choice(Shape(**model["shape"]), model["exponent"], tuple(model["weights"]))


def text_of(model: dict[str, Any]) -> str:
    """Returns the text of a model file: a line for each member, and for each tree."""
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in model.items() if name != "trees"]
    trees = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in model["trees"])
    return "{" + ",\n".join(lines) + ',\n"trees": [\n' + trees + "\n]}\n"


def _rounded(values: np.ndarray) -> list[float]:
    return [round(float(value), 9) for value in values]
