"""What is measured: each estimator on each set of nights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import scores
from disturbance import KINDS
from estimator import Estimator
from network import Network
from nights import LIGHT, REM, WAKE, Night
from scores import Interval
from selection import Bench, Choice

NETWORKS = ("ws-gru-mesa", "wrn-gru-mesa", "wrn-gru-mesa-weighted")
# A network's classes among the stages here: NREM and sleep count as light.
NETWORK_STAGES = {"wake": WAKE, "REM": REM, "NREM": LIGHT, "sleep": LIGHT, "undefined": LIGHT}


@dataclass(frozen=True)
class Result:
    """The confusion matrices of an estimator, one for each night."""

    title: str
    tables: list[np.ndarray]
    persons: list[str]
    # How many of the stages it tells apart: 2, 3 or 4.
    classes: int = 4
    choices: list[Choice] = field(default_factory=list)

    @property
    def total(self) -> np.ndarray:
        """The sum of all nights."""
        found: np.ndarray = np.sum(self.tables, axis=0)
        return found

    def kappa(self, classes: int) -> Interval | None:
        """Returns κ of so many classes, or nothing when it tells fewer apart."""
        if classes > self.classes:
            return None
        merged = {2: scores.TWO, 3: scores.THREE}.get(classes)
        return scores.resampled(
            self.tables, self.persons, lambda table: scores.kappa(scores.merged(table, merged) if merged else table))

    def nights_kappa(self) -> list[float]:
        """Returns κ of each night in as many classes as the estimator has."""
        merged = {2: scores.TWO, 3: scores.THREE}.get(self.classes)
        return [scores.kappa(scores.merged(table, merged) if merged else table) for table in self.tables]

    def chosen(self) -> str:
        """Returns how often which features and trees were chosen."""
        counts = Counter(str(choice.shape) for choice in self.choices)
        return "; ".join(f"{shape}: {count}" for shape, count in counts.most_common())


def left_out(nights: Sequence[Night], bench: Bench, choice: Choice | None = None) -> Result:
    """Returns the result of training without each night. Without a choice, it is made anew without each night."""
    tables, choices = [], []
    for index, night in enumerate(nights):
        stages, made = bench.left_out(index, choice)
        tables.append(scores.confusion(night.stages, stages))
        choices.append(made)
    return Result(bench.variant.title, tables, [night.person for night in nights], choices=choices)


def always(nights: Sequence[Night], stage: int, title: str) -> Result:
    """Returns the result of one stage for all epochs."""
    tables = [scores.confusion(night.stages, [stage] * len(night.stages)) for night in nights]
    return Result(title, tables, [night.person for night in nights])


def of_model(nights: Sequence[Night], model: dict, title: str) -> Result:
    """Returns the result of a model on nights that it was not trained with."""
    estimator = Estimator(model)
    tables = [scores.confusion(night.stages, estimator.stages(night.heart_rate, night.movement)) for night in nights]
    return Result(title, tables, [night.person for night in nights])


def of_network(nights: Sequence[Night], folder: Path, name: str) -> Result:
    """Returns the result of a network of SleepECG, with its metadata at the mean of its training."""
    network = Network.read(folder, name)
    tables = []
    for night in nights:
        chances = network.of_beats(np.array(night.beats), len(night.stages), network.neutral)
        stages = [NETWORK_STAGES[network.classes[index]] for index in chances.argmax(1)]
        tables.append(scores.confusion(night.stages, stages))
    return Result(f"SleepECG {name}", tables, [night.person for night in nights], len(set(network.classes)) - 1)


def disturbed(nights: Sequence[Night], bench: Bench, choice: Choice) -> list[Result]:
    """Returns results of left-out nights whose inputs are changed; the trees are trained as ever."""
    changed = {title: [change(night) for night in nights] for title, change in KINDS.items()}
    benches = {title: Bench(ones, bench.variant) for title, ones in changed.items()}
    tables: dict[str, list[np.ndarray]] = {title: [] for title in KINDS}
    for index in range(len(nights)):
        others = [other for other in range(len(nights)) if other != index]
        booster, chain = bench.trained(choice.shape, others), bench.chain(others)
        for title, one in benches.items():
            chances = np.asarray(booster.predict(one.columns(choice.shape, index)))
            rows = chain.smoothed([chances], choice.exponent, bench.variant.causal)[0]
            tables[title].append(scores.confusion(changed[title][index].stages, (rows * choice.weights).argmax(1)))
    return [Result(title, found, [night.person for night in nights]) for title, found in tables.items()]
