"""RR series from the world: all metrics of `analyze`, of the whole and of the segments, against the oracle.

The oracle computes each segment of each series, two series at a time; that is most of the time which this takes. It
knows nothing of artifacts, hence of the corrected metrics it is only checked that they are there and agree with each
other.
"""

from __future__ import annotations

import math
import re
import statistics
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from intervals import Intervals
from oracle import METRICS, SEGMENT_METRICS, Report, Values, read_series, report
from outcome import Outcome
from program import Program, is_number
from segments import LEAST_COVERAGE, LEAST_SEGMENTS, LENGTH_SECONDS, LONGEST_MS

RELATIVE = dict.fromkeys(METRICS, 1e-9) | dict.fromkeys(
    ("vlf", "lf", "hf", "totalPower", "lfhf", "dfaAlpha1", "sampleEntropy"), 1e-6)
# Of a median the neighbours are known to the tolerance of the values themselves; a sum of few is as good.
CONSISTENT = 1e-12
WORKERS = 2
SIDES = ("raw", "corrected")
# Of a corrected series this takes values away that could be computed.
REFUSAL = "artifacts|irregular|repeat"


class Comparison:
    """A row of the table with the largest difference."""

    def __init__(self, title: str, unit: str = "values") -> None:
        self.outcome = Outcome(title, unit)
        self.worst: dict[float, tuple[float, str]] = {}
        self.without_value = 0

    def compare(self, where: str, metrics: tuple[str, ...], ours: dict[str, Any], oracle: Values) -> None:
        """Compares these metrics; one without a value on one side must have none on the other."""
        for metric in metrics:
            self.outcome.examined += 1
            value, expected = ours.get(metric), oracle[metric]
            if expected is None:
                self.without_value += 1
                if value is not None:
                    self.outcome.problem(where, f"{metric} is {value}, and the oracle gives no value")
            elif not is_number(value) or not _near(value, expected, RELATIVE[metric]):
                self.outcome.problem(where, f"{metric} is {value} instead of {expected}")
            elif expected:
                found = (abs(value - expected) / abs(expected), metric)
                self.worst[RELATIVE[metric]] = max(self.worst.get(RELATIVE[metric], (0.0, "-")), found)

    def finished(self) -> Outcome:
        """Returns the row, with its remark."""
        shown = (f"{worst:.0e} ({metric}) of {bound:.0e}" for bound, (worst, metric) in sorted(self.worst.items()))
        self.outcome.remark = f"worst {', '.join(shown) or '-'}; {self.without_value} rightly without a value"
        return self.outcome


def check_oracle(program: Program, world: Path) -> list[Outcome]:
    """Checks every series."""
    whole, medians, each = Comparison("oracle: whole"), Comparison("oracle: medians"), Comparison("oracle: segments")
    present, corrected = Outcome("oracle: every key or its reason", "keys"), Outcome("segments: consistent", "values")
    paths = {path.name.removesuffix(".rr_ms.txt"): path for path in sorted((world / "rr").glob("*.rr_ms.txt"))}
    with ProcessPoolExecutor(WORKERS) as pool:
        # The long ones first, so that both workers end at about the same time.
        by_size = sorted(paths, key=lambda name: -paths[name].stat().st_size)
        expected = dict(zip(by_size, pool.map(_oracle, (paths[name] for name in by_size))))
    for name, path in paths.items():
        run = program.run("analyze", str(path), "--format", "json")
        hrv: Any = ((run.object() if run.code == 0 else None) or {}).get("hrv")
        if not isinstance(hrv, dict) or not all(isinstance(hrv.get(side), dict) for side in SIDES):
            whole.outcome.problem(name, f"analyze gave no report with hrv.raw and hrv.corrected: {run.describe()}")
            continue
        for side in SIDES:
            _check_keys(present, f"{name}, {side}", hrv[side])
        whole.compare(name, METRICS, hrv["raw"], expected[name].whole)
        segments: Any = hrv.get("segments")
        problem = _shape_problem(segments, expected[name])
        if problem:
            medians.outcome.problem(name, problem)
            continue
        medians.compare(f"{name}, median", SEGMENT_METRICS, segments["raw"]["median"], expected[name].medians)
        for side in SIDES:
            _check_consistency(corrected, f"{name}, {side}", segments, hrv[side], side)
        for ours, (segment, values) in zip(segments["each"], expected[name].segments):
            each.compare(f"{name}, {segment.start_seconds} s", SEGMENT_METRICS, ours["raw"], values)
    return [present, whole.finished(), medians.finished(), each.finished(), corrected]


def _oracle(path: Path) -> Report:
    return report(Intervals.read(read_series(path)))


def _near(value: float, expected: float, relative: float) -> bool:
    return abs(value - expected) <= relative * abs(expected)


def _check_keys(outcome: Outcome, where: str, side: dict[str, Any]) -> None:
    """Checks that each metric has either a number or a reason."""
    reasons = side.get("unavailable")
    if not isinstance(reasons, dict):
        outcome.problem(where, "there is no unavailable")
        return
    for metric in METRICS:
        outcome.examined += 1
        value, reason = side.get(metric), reasons.get(metric)
        if value is None and not reason:
            outcome.problem(where, f"{metric} has neither a value nor a reason")
        elif value is not None and (reason or not is_number(value) or not math.isfinite(value)):
            outcome.problem(where, f"{metric} is {value!r}, with the reason {reason!r}")


def _shape_problem(segments: object, expected: Report) -> str | None:
    """Returns the structural problem of `hrv.segments`, or `None`."""
    if not isinstance(segments, dict):
        return "there is no hrv.segments"
    each, count = segments.get("each"), len(expected.segments)
    if segments.get("lengthSeconds") != LENGTH_SECONDS or segments.get("count") != count:
        found = f"{segments.get('count')} segments of {segments.get('lengthSeconds')} s"
        return f"there are {found} instead of {count} of {LENGTH_SECONDS} s"
    if not isinstance(each, list) or len(each) != count:
        return f"segments.each does not hold {count}"
    if not all(isinstance((segments.get(side) or {}).get("median"), dict) for side in SIDES):
        return "segments has no raw.median or no corrected.median"
    for ours, (segment, _) in zip(each, expected.segments):
        where = f"the segment at {segment.start_seconds} s"
        if ours.get("startSeconds") != segment.start_seconds or not all(isinstance(ours.get(s), dict) for s in SIDES):
            return f"{where} begins at {ours.get('startSeconds')}, or raw or corrected is missing"
        if not all(is_number(ours.get(key)) and 0 <= ours[key] <= 1 for key in ("coverage", "artifactShare")):
            return f"{where} has no coverage or no artifactShare in 0 … 1"
        # Raw intervals in range cover time. Mended ones may end on the other side of either end of the segment.
        if abs(ours["coverage"] - segment.coverage) > 2 * LONGEST_MS / 1000 / LENGTH_SECONDS:
            return f"{where} has a coverage of {ours['coverage']}, and its intervals say {segment.coverage}"
    return None


def _check_consistency(
    outcome: Outcome, where: str, segments: dict[str, Any], whole: dict[str, Any], side: str
) -> None:
    """Checks medians and values computed from the segments, by computing them again from the reported segments."""
    each, median = segments["each"], segments[side]["median"]
    covered = [one[side] for one in each if one["coverage"] >= LEAST_COVERAGE]
    expected: Values = {metric: _median([one[side].get(metric) for one in each]) for metric in SEGMENT_METRICS}
    means = [one["meanNN"] for one in covered if is_number(one.get("meanNN"))]
    deviations = [one["sdnn"] for one in covered if is_number(one.get("sdnn"))]
    found = {metric: median.get(metric) for metric in SEGMENT_METRICS}
    expected["sdann"] = statistics.stdev(means) if len(means) >= LEAST_SEGMENTS else None
    expected["sdnnIndex"] = statistics.fmean(deviations) if len(deviations) >= LEAST_SEGMENTS else None
    found |= {metric: whole.get(metric) for metric in ("sdann", "sdnnIndex")}
    for metric, value in expected.items():
        outcome.examined += 1
        ours = found[metric]
        if ours is None and re.search(REFUSAL, whole["unavailable"].get(metric, "")):
            continue
        bound = RELATIVE[metric] if metric in ("sdann", "sdnnIndex") else CONSISTENT
        if (value is None) != (ours is None) or (value is not None and not _near(ours, value, bound)):
            outcome.problem(where, f"{metric} is {ours}, and the segments say {value}")


def _median(values: list[Any]) -> float | None:
    numbers = [value for value in values if is_number(value)]
    return statistics.median(numbers) if numbers else None
