"""The time-domain metrics of an RR series, computed without any of tachogram's code: oracle.py FILE … → JSON lines.

A file holds one RR interval in milliseconds a line. Definitions are those of docs/metrics.md; minimum durations are not
applied. Moments are two-pass sums in numpy's longdouble (64-bit mantissa on x86-64); differences are held against a
threshold in float64.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

METRICS = ("meanNN", "meanHeartRate", "sdnn", "rmssd", "lnRMSSD", "sdsd", "pnn50", "pnn20", "sd1", "sd2")

Extended = np.ndarray


def read_series(path: Path) -> list[str]:
    """The intervals of a file as they are written."""
    return [line.strip() for line in path.read_text().splitlines() if line.strip()]


def time_domain(written: list[str]) -> dict[str, float | None]:
    """All metrics of a series without gaps; None where the definition divides by nothing."""
    nn = np.array([np.longdouble(value) for value in written], dtype=np.longdouble)
    differences = nn[1:] - nn[:-1]
    root_two = np.sqrt(np.longdouble(2))
    mean = nn.sum() / len(nn) if len(nn) else None
    rmssd = np.sqrt((differences * differences).sum() / len(differences)) if len(differences) else None
    values = {
        "meanNN": mean,
        "meanHeartRate": np.longdouble(60000) / mean if mean else None,
        "sdnn": _sample_deviation(nn),
        "rmssd": rmssd,
        "lnRMSSD": np.log(rmssd) if rmssd else None,
        "sdsd": _sample_deviation(differences),
        "pnn50": _share_above(written, 50),
        "pnn20": _share_above(written, 20),
        "sd1": _sample_deviation((nn[:-1] - nn[1:]) / root_two),
        "sd2": _sample_deviation((nn[:-1] + nn[1:]) / root_two),
    }
    return {name: None if value is None else float(value) for name, value in values.items()}


def _sample_deviation(values: Extended) -> np.longdouble | None:
    """The standard deviation with n − 1, by the corrected two-pass algorithm (Chan, Golub & LeVeque 1983)."""
    count = len(values)
    if count < 2:
        return None
    deviations = values - values.sum() / count
    squares = (deviations * deviations).sum() - deviations.sum() ** 2 / count
    return np.sqrt(squares / (count - 1))


def _share_above(written: list[str], threshold: float) -> float | None:
    """How many successive differences exceed the threshold, in percent of the number of intervals."""
    values = np.array([float(value) for value in written])
    if not len(values):
        return None
    return 100 * float(np.count_nonzero(np.abs(np.diff(values)) > threshold)) / len(values)


def main() -> int:
    """Prints one JSON object a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    for path in parser.parse_args().files:
        written = read_series(path)
        print(json.dumps({"file": path.name, "count": len(written), **time_domain(written)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
