"""Files as apps and watches write them: analyze gives what it gives for the same series as plain text."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from fitparse import FitFile

from outcome import Outcome
from program import Program

SERIES_SUFFIX = ".rr_ms.txt"
# The plain text of some exports is rounded.
ROUNDING = 1e-6

# Original files with the series that was taken from each, and what they are to be recognised as.
EXPORTS = {
    "fatmaxxer.rr.csv": ("exercise_fatmaxxer_h10", "fatmaxxer"),
    "exercise_rri.hrm": ("exercise_hrvlib", "polar-hrm"),
    "rest_rri.txt": ("rest_hrvlib", "rr-text"),
    "systole_rr.txt": ("rest_systole", "rr-csv"),
}


def check_exports(program: Program, world: Path) -> list[Outcome]:
    """Checks FIT files against fitparse and their text, and exports of apps against their text."""
    return [_check_fit(program, world), _check_texts(program, world)]


def _check_fit(program: Program, world: Path) -> Outcome:
    outcome = Outcome("FIT: as fitparse and as text", "intervals")
    for path in sorted((world / "fit").glob("*.fit")):
        report = _report(program, path)
        text = _report(program, world / "rr" / f"exercise_fit_{path.stem}{SERIES_SUFFIX}")
        if report is None or text is None:
            outcome.problem(path.name, "analyze gave no report")
            continue
        count = len(_intervals(path))
        outcome.examined += count
        if report["beats"]["total"] != count:
            outcome.problem(path.name, f"{report['beats']['total']} intervals, fitparse finds {count}")
        if report["capture"]["format"] != "fit" or report["capture"]["damaged"]:
            outcome.problem(path.name, f"was read as {report['capture']}")
        _compare(outcome, path.name, report, text, rounding=0)
    return outcome


def _check_texts(program: Program, world: Path) -> Outcome:
    outcome = Outcome("exports: as their plain text", "files")
    for name, (series, form) in EXPORTS.items():
        report = _report(program, world / "rr" / "original" / name)
        text = _report(program, world / "rr" / f"{series}{SERIES_SUFFIX}")
        outcome.examined += 1
        if report is None or text is None:
            outcome.problem(name, "analyze gave no report")
            continue
        if report["capture"]["format"] != form:
            outcome.problem(name, f"was read as {report['capture']['format']} instead of {form}")
        # Times in the original tell gaps, which the plain text does not have.
        if report["beats"]["gaps"] == 0:
            _compare(outcome, name, report, text, ROUNDING)
        elif report["beats"]["total"] != text["beats"]["total"]:
            outcome.problem(name, f"{report['beats']['total']} intervals instead of {text['beats']['total']}")
    return outcome


def _compare(
    outcome: Outcome, name: str, report: dict[str, Any], text: dict[str, Any], rounding: float
) -> None:
    for section in ("beats", "artifacts", "hrv", "stress"):
        if not _is_same(report[section], text[section], rounding):
            outcome.problem(name, f"{section} is {report[section]}, and {text[section]} of the text")


def _is_same(value: Any, other: Any, rounding: float) -> bool:
    """Returns whether two parts of a report are equal up to a relative `rounding` of their numbers."""
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(_is_same(value[key], other[key], rounding) for key in value)
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(_is_same(one, two, rounding) for one, two in zip(value, other))
    if isinstance(value, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(value, other, rel_tol=rounding)
    return bool(value == other)


def _report(program: Program, path: Path) -> dict[str, Any] | None:
    run = program.run("analyze", str(path), "--format", "json")
    return run.object() if run.code == 0 else None


def _intervals(path: Path) -> list[float]:
    """Returns all intervals of the hrv messages in s; fitparse returns invalid ones that fill a message as None."""
    found: list[float] = []
    for message in FitFile(str(path)).get_messages("hrv"):
        values = message.get_value("time")
        for value in values if isinstance(values, (list, tuple)) else [values]:
            if value is not None:
                found.append(value)
    return found
