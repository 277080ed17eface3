"""Mean, deviations, successive differences and Poincaré descriptors."""

from __future__ import annotations

import numpy as np
from intervals import Intervals, sample_deviation

METRICS = ("meanNN", "meanHeartRate", "sdnn", "rmssd", "lnRMSSD", "sdsd", "pnn50", "pnn20", "sd1", "sd2")


def time_domain(series: Intervals) -> dict[str, float | None]:
    """Returns all metrics of a series; None for a division by zero. Moments are two-pass sums in longdouble,
    differences are compared with a threshold in double precision."""
    nn, pairs = series.extended, series.is_pair
    before, after = nn[:-1][pairs], nn[1:][pairs]
    differences = after - before
    root_two = np.sqrt(np.longdouble(2))
    mean = nn.sum() / len(nn) if len(nn) else None
    rmssd = np.sqrt((differences * differences).sum() / len(differences)) if len(differences) else None
    values = {
        "meanNN": mean,
        "meanHeartRate": np.longdouble(60000) / mean if mean else None,
        "sdnn": sample_deviation(nn),
        "rmssd": rmssd,
        "lnRMSSD": np.log(rmssd) if rmssd else None,
        "sdsd": sample_deviation(differences),
        "pnn50": _share_above(series, 50),
        "pnn20": _share_above(series, 20),
        "sd1": sample_deviation((before - after) / root_two),
        "sd2": sample_deviation((before + after) / root_two),
    }
    return {name: None if value is None else float(value) for name, value in values.items()}


def _share_above(series: Intervals, threshold: float) -> float | None:
    """Returns the percentage of successive differences above the threshold, of the number of intervals."""
    if not series.is_pair.any():
        return None
    differences = np.abs(np.diff(series.milliseconds))[series.is_pair]
    return 100 * float(np.count_nonzero(differences > threshold)) / len(series)
