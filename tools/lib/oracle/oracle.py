"""The metrics of an RR series, computed without any of tachogram's code: oracle.py FILE … → JSON lines.

A file holds one RR interval in milliseconds a line. Definitions and minimums are those of docs/metrics.md; what has no
value is listed under `unavailable`.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from histogram import baevsky_stress_index, triangular_index
from intervals import Intervals
from nonlinear import deceleration_capacity, dfa_alpha1, sample_entropy
from segments import LEAST_COVERAGE, LENGTH_SECONDS, Segment, sdann, sdnn_index, segments
from spectrum import frequency_domain
from time_domain import METRICS as TIME_DOMAIN
from time_domain import time_domain

FREQUENCY = ("vlf", "lf", "hf", "totalPower", "lfhf", "respirationRate")
SEGMENT_METRICS = (*TIME_DOMAIN, "baevskyStressIndex", *FREQUENCY, "dfaAlpha1", "sampleEntropy", "decelerationCapacity")
METRICS = (*SEGMENT_METRICS, "triangularIndex", "sdann", "sdnnIndex")

# The shortest sum of intervals over which a metric is given.
MINIMUM_SECONDS = {
    "meanNN": 10, "meanHeartRate": 10, "rmssd": 30, "lnRMSSD": 30, "sdsd": 30, "sdnn": 60, "pnn50": 60, "pnn20": 60,
    "sd1": 60, "sd2": 60, "triangularIndex": 1200, "baevskyStressIndex": 60, "hf": 60, "respirationRate": 60, "lf": 120,
    "lfhf": 120, "vlf": 300, "totalPower": 300, "dfaAlpha1": 120, "decelerationCapacity": 300,
}
ENTROPY_MINIMUM_BEATS = 200
ANCHORS_MINIMUM = 10
# Of longer series these are given for the segments only.
LONG_SERIES_BEATS = 5000
NOT_OF_LONG_SERIES = (*FREQUENCY, "sampleEntropy")

Values = dict[str, float | None]


@dataclass(frozen=True)
class Report:
    """All values of a series; None stands for a metric that must have no value."""

    whole: Values
    segments: list[tuple[Segment, Values]]
    medians: Values


def read_series(path: Path) -> list[str]:
    """Returns the intervals of a file as they are written."""
    return [line.strip() for line in path.read_text().splitlines() if line.strip()]


def metrics(series: Intervals, span: int = 0) -> Values:
    """Returns all metrics of a stretch except those of its segments, each if its minimum is met. Intervals that fill
    `span` seconds except a part of the last one count as that long."""
    values: Values = dict.fromkeys(METRICS)
    values.update(time_domain(series))
    values["triangularIndex"] = triangular_index(series)
    values["baevskyStressIndex"] = baevsky_stress_index(series)
    values["dfaAlpha1"] = dfa_alpha1(series)
    values["decelerationCapacity"] = deceleration_capacity(series, ANCHORS_MINIMUM)
    if len(series) <= LONG_SERIES_BEATS:
        values.update(frequency_domain(series))
        values["sampleEntropy"] = sample_entropy(series) if len(series) >= ENTROPY_MINIMUM_BEATS else None
    filled = span if series.seconds * (1 + 1 / max(1, len(series))) >= span else 0
    minimums = {name: MINIMUM_SECONDS.get(name, 0) for name in values}
    return {
        name: value if series.lasts(minimums[name]) or filled >= minimums[name] > 0 else None
        for name, value in values.items()}


def report(series: Intervals) -> Report:
    """Returns the values of a series, its segments and their medians."""
    parts = [(segment, metrics(segment.intervals, LENGTH_SECONDS)) for segment in segments(series)]
    covered = [values for segment, values in parts if segment.coverage >= LEAST_COVERAGE]
    whole = metrics(series)
    whole["sdann"] = sdann([value["meanNN"] for value in covered if value["meanNN"] is not None])
    whole["sdnnIndex"] = sdnn_index([value["sdnn"] for value in covered if value["sdnn"] is not None])
    return Report(whole, parts, medians([values for _, values in parts]))


def medians(values: list[Values]) -> Values:
    """Returns for each metric the median of the segments that have it."""
    found = {name: [value for one in values if (value := one[name]) is not None] for name in SEGMENT_METRICS}
    return {name: float(np.median(present)) if present else None for name, present in found.items()}


def present(values: Values) -> dict[str, object]:
    """Returns the metrics with a value, and the names of the others."""
    return {
        **{name: value for name, value in values.items() if value is not None},
        "unavailable": [name for name, value in values.items() if value is None],
    }


def main() -> int:
    """Prints one JSON object per file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    for path in parser.parse_args().files:
        series = Intervals.read(read_series(path))
        found = report(series)
        each = [{"startSeconds": segment.start_seconds, "coverage": segment.coverage,
                 **{name: value for name, value in values.items() if name in SEGMENT_METRICS and value is not None}}
                for segment, values in found.segments]
        print(json.dumps({
            "file": path.name, "count": len(series), **present(found.whole),
            "segments": {"lengthSeconds": LENGTH_SECONDS, "count": len(each), "median": present(found.medians),
                         "each": each},
        }))
    return 0


if __name__ == "__main__":
    sys.exit(main())
