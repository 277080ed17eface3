"""RMSSD of exports by NeuroKit2: neurokit_rmssd.py CSV KUBIOS → a JSON object by format."""

from __future__ import annotations

import csv
import json
import sys

import neurokit2 as nk
import numpy as np
import numpy.typing as npt


def rmssd(intervals: npt.NDArray[np.float64]) -> float:
    """Returns the RMSSD in ms of intervals in ms."""
    return float(nk.hrv_time({"RRI": intervals, "RRI_Time": np.cumsum(intervals) / 1000})["HRV_RMSSD"].iloc[0])


def main(table: str, kubios: str) -> None:
    with open(table, newline="", encoding="utf-8") as file:
        beats = [float(row["rrMs"]) for row in csv.DictReader(file) if row["event"] == "beat"]
    columns = np.loadtxt(kubios)
    print(json.dumps({"csv": rmssd(np.array(beats)), "kubios": rmssd(columns[:, 1] * 1000)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
