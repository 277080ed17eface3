"""Series with one known modulation: its power stands in its band, and its frequency is the breathing rate."""

from __future__ import annotations

import tempfile
from pathlib import Path

from outcome import Outcome
from program import Program, is_number
from synthetic import modulated

SECONDS = 1800
MEAN_MS = 800.0
# Frequency, amplitude in ms and the band with its power.
CASES = tuple((hertz, amplitude, band) for hertz, band in ((0.1, "lf"), (0.25, "hf")) for amplitude in (5.0, 20.0))
RELATIVE = 0.01


def check_sinusoids(program: Program, _: Path) -> list[Outcome]:
    """Checks that the power is A²/2 within 1 % in one band, and almost zero in the other."""
    outcome = Outcome("sinusoids: A²/2 within 1 %", "powers")
    worst = 0.0
    with tempfile.TemporaryDirectory(prefix="tachogram-sinusoids-") as folder:
        for hertz, amplitude, band in CASES:
            name = f"{amplitude:g} ms at {hertz:g} Hz"
            path = Path(folder) / "series.txt"
            path.write_text("".join(f"{value:.7f}\n" for value in modulated(SECONDS, MEAN_MS, ((amplitude, hertz),))))
            run = program.run("analyze", str(path), "--format", "json")
            raw = (((run.object() if run.code == 0 else None) or {}).get("hrv") or {}).get("raw") or {}
            expected = amplitude**2 / 2
            for key, power in ((band, expected), ("hf" if band == "lf" else "lf", 0.0)):
                outcome.examined += 1
                value = raw.get(key)
                if not is_number(value) or abs(value - power) > RELATIVE * expected:
                    outcome.problem(name, f"{key} is {value} instead of {power}: {run.describe()}")
                elif power:
                    worst = max(worst, abs(value - power) / power)
            breaths = raw.get("respirationRate")
            if band == "hf" and (not is_number(breaths) or abs(breaths - 60 * hertz) > 60 / (4 * SECONDS)):
                outcome.problem(name, f"respirationRate is {breaths} instead of {60 * hertz}")
    outcome.remark = f"worst {100 * worst:.2f} %"
    return [outcome]
