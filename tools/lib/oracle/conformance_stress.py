"""The vectors of the stress level, of which the formula is the whole definition."""

from __future__ import annotations

import math

from conformance_cases import Case

# HRV in ms, heart rate in bpm, and the level as docs and apps publish it, to five decimals.
PUBLISHED: tuple[tuple[float, float, float], ...] = (
    (50, 60, 0), (50, 100, 17.71003), (25, 60, 40.20444), (20, 90, 61.51779), (0, 60, 70), (50, 200, 25.96841),
)
BASELINE_HRV, RESTING_HEART_RATE = 50.0, 60.0
INVALID = (("negative-hrv", -1.0, 60.0, 50.0), ("no-heart-rate", 50.0, 0.0, 50.0), ("no-baseline", 50.0, 60.0, 0.0))
FORMULA = (
    "100 · (0.7 · max(0, 1 − hrv/baselineHRV)^0.8 "
    "+ 0.3 · max(0, atan(2 · (heartRate/restingHeartRate − 1))/(π/2)))"
)


def level(hrv: float, heart_rate: float) -> float:
    """The formula, for a baseline of 50 ms and 60 bpm."""
    reduced: float = max(0.0, (BASELINE_HRV - hrv) / BASELINE_HRV) ** 0.8
    raised = max(0.0, math.atan(2 * (heart_rate - RESTING_HEART_RATE) / RESTING_HEART_RATE) / (math.pi / 2))
    return min(100.0, max(0.0, 100 * (0.7 * reduced + 0.3 * raised)))


def stress() -> list[Case]:
    """The published vectors at full precision, and input that has no level."""
    cases = []
    for hrv, heart_rate, published in PUBLISHED:
        value = level(hrv, heart_rate)
        if abs(value - published) > 0.5e-5:
            raise ValueError(f"the level of {hrv} ms and {heart_rate} bpm is {value}, published is {published}")
        cases.append(Case(f"{hrv}-ms-{heart_rate}-bpm", "stress", [], FORMULA + f"; published as {published}",
                          closed={"level": value}, parameters=_parameters(hrv, heart_rate, BASELINE_HRV)))
    for name, hrv, heart_rate, baseline in INVALID:
        cases.append(Case(name, "stress", [], "input that means nothing is an error, never a level",
                          unavailable=("level",), parameters=_parameters(hrv, heart_rate, baseline)))
    return cases


def _parameters(hrv: float, heart_rate: float, baseline: float) -> dict[str, float]:
    return {"hrv": float(hrv), "heartRate": float(heart_rate), "baselineHRV": baseline,
            "restingHeartRate": RESTING_HEART_RATE}
