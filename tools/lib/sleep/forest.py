"""Gradient-boosted trees: training with LightGBM, and the form of a model file."""

from __future__ import annotations

import math
from typing import Any

import lightgbm
import numpy as np

CLASSES = 4
# Decimals of features in the training. Many are equal but for the rounding of sums, and a threshold must not lie between these.
DECIMALS = 6
# Fixed: in trials with all nights, half or double of each changed κ by no more than chance.
PARAMETERS: dict[str, Any] = {
    "objective": "multiclass", "num_class": CLASSES, "learning_rate": 0.06, "feature_fraction": 0.5, "bagging_fraction": 0.6,
    "bagging_freq": 1, "min_data_in_leaf": 150, "lambda_l2": 5.0, "max_bin": 63, "seed": 1, "num_threads": 1,
    "deterministic": True, "force_row_wise": True, "verbose": -1,
}


def train(rows: np.ndarray, stages: np.ndarray, leaves: int, rounds: int) -> lightgbm.Booster:
    """Returns trees of epochs × features and their stages."""
    data = lightgbm.Dataset(rows, stages, params={"verbose": -1})
    return lightgbm.train({**PARAMETERS, "num_leaves": leaves}, data, rounds)


def exported(booster: lightgbm.Booster) -> list[dict[str, list[Any]]]:
    """Returns the trees in order of rounds, within a round one for each class. Node 0 is the root. Thresholds are rounded to half
    of what features are, leaves for brevity."""
    return [_tree(one["tree_structure"]) for one in booster.dump_model()["tree_info"]]


def _tree(root: dict[str, Any]) -> dict[str, list[Any]]:
    tree: dict[str, list[Any]] = {
        name: [] for name in ("feature", "threshold", "left", "right", "missingLeft", "leaf")}
    if "leaf_value" in root:
        # A tree that found nothing to divide: both branches end in the same value.
        root = {"split_feature": 0, "threshold": 0.0, "missing_type": "NaN", "default_left": True,
                "left_child": root, "right_child": root}
    _add(tree, root)
    return tree


def _threshold(value: float) -> float:
    """Returns a threshold away from the values of features: LightGBM has 1e-35 between zero and what is not."""
    half = 0.5 * 10**-DECIMALS
    return math.copysign(half, value) if abs(value) < half else round(value, DECIMALS + 1)


def _add(tree: dict[str, list[Any]], node: dict[str, Any]) -> int:
    """Adds a node with what is below it, and returns its index: -1 - n for leaf n."""
    if "leaf_value" in node:
        tree["leaf"].append(round(node["leaf_value"], 7))
        return -len(tree["leaf"])
    index = len(tree["feature"])
    tree["feature"].append(node["split_feature"])
    tree["threshold"].append(_threshold(node["threshold"]))
    # Without missing values in the training, LightGBM takes one as zero.
    left = node["default_left"] if node["missing_type"] == "NaN" else node["threshold"] >= 0
    tree["missingLeft"].append(int(left))
    tree["left"].append(0)
    tree["right"].append(0)
    tree["left"][index] = _add(tree, node["left_child"])
    tree["right"][index] = _add(tree, node["right_child"])
    return index
