"""docs/sleep.md: what was measured, with which data, and the limits of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import scores
from measurement import Result
from model_file import ATTRIBUTION
from nights import STAGE_NAMES
from tables import Table

TEMPLATE = Path(__file__).with_name("document.md")
THREE_NAMES, TWO_NAMES = ("wake", "NREM", "REM"), ("wake", "sleep")


@dataclass(frozen=True)
class Measurements:
    """All results of a run."""

    # Left-out nights of sleep-accel, the baselines last.
    walch: list[Result]
    disturbed: list[Result]
    # Of slpdb, trained elsewhere, the baselines last.
    slpdb: list[Result]
    # Differences of the networks from the package: by its features, and by those computed here.
    network_differences: tuple[float, float]
    # Of the processor.
    seconds: float

    def tables(self) -> list[Table]:
        """Returns the tables of the document."""
        return [
            agreement("walch", self.walch), bias("walch-bias", self.walch[:-2]), choices(self.walch[:-2]),
            agreement("disturbed", self.disturbed), agreement("slpdb", self.slpdb), bias("slpdb-bias", self.slpdb[:-1])]

    def document(self, when: str) -> str:
        """Returns docs/sleep.md."""
        text = TEMPLATE.read_text()
        values = {f"table: {table.name}": table.markdown() for table in self.tables()}
        values["confusion: walch"] = "\n\n".join(confusions(one) for one in self.walch[:-2])
        values["confusion: slpdb"] = "\n\n".join(confusions(one) for one in self.slpdb[:-1])
        values |= {"when": when, "attribution": ATTRIBUTION,
                   "network difference": f"{max(self.network_differences):.1e}"}
        for name, value in values.items():
            if f"{{{{{name}}}}}" not in text:
                raise SystemExit(f"sleep: {TEMPLATE.name} has no place for {name}")
            text = text.replace(f"{{{{{name}}}}}", value)
        return text


def agreement(name: str, results: Sequence[Result]) -> Table:
    """Returns κ in four, three and two classes, with intervals over persons, and the spread over nights."""
    rows = []
    for one in results:
        figures = [one.kappa(classes) for classes in (4, 3, 2)]
        nights = one.nights_kappa()
        two = scores.accuracy(scores.merged(one.total, scores.TWO))
        rows.append((one.title, *("–" if figure is None else str(figure) for figure in figures),
                     f"{min(nights):.2f} to {max(nights):.2f}",
                     f"{scores.accuracy(one.total) * 100:.0f}" if one.classes == 4 else "–", f"{two * 100:.0f}"))
    header = ("estimator", "κ, 4 classes", "κ, 3 classes", "κ, sleep/wake", "κ of a night", "4 classes agree, %",
              "sleep/wake agree, %")
    return Table(name, header, rows)


def bias(name: str, results: Sequence[Result]) -> Table:
    """Returns the mean and the standard deviation over nights of the difference of the share of each stage."""
    rows = []
    for one in results:
        cells = [f"{mean:+.1f} ± {spread:.1f}" for mean, spread in scores.biases(one.tables)]
        if one.classes < 4:
            merged = [scores.merged(table, scores.THREE if one.classes == 3 else scores.TWO) for table in one.tables]
            found = [f"{mean:+.1f} ± {spread:.1f}" for mean, spread in scores.biases(merged)]
            cells = [found[0], f"NREM {found[1]}", "–", found[2]] if one.classes == 3 else [found[0], "–", "–", "–"]
        rows.append((one.title, *cells))
    return Table(name, ("estimator", *STAGE_NAMES), rows)


def choices(results: Sequence[Result]) -> Table:
    """Returns what was chosen without each night."""
    rows: list[tuple[str, ...]] = []
    for one in results:
        exponents = sorted({choice.exponent for choice in one.choices})
        rows.append((one.title, one.chosen(), ", ".join(f"{value:g}" for value in exponents)))
    return Table("choices", ("estimator", "features and trees: nights", "exponents"), rows, words=3)


def confusions(one: Result) -> str:
    """Returns a confusion matrix with its title, in epochs."""
    names: tuple[str, ...] = STAGE_NAMES
    table = one.total
    if one.classes == 3:
        names, table = THREE_NAMES, scores.merged(table, scores.THREE)
    elif one.classes == 2:
        names, table = TWO_NAMES, scores.merged(table, scores.TWO)
    rows = [(f"scored {name}", *(f"{value:.0f}" for value in row)) for name, row in zip(names, table)]
    return f"{one.title}:\n\n" + Table("", ("epochs", *names), rows).markdown()
