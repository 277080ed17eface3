"""Lomb–Scargle power in bands, by scipy's periodogram, and the breathing rate that its peak tells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from intervals import Intervals
from scipy.signal import lombscargle

VLF, LF, HF = (0.0033, 0.04), (0.04, 0.15), (0.15, 0.4)
OVERSAMPLING = 4
PEAK_REACH_HZ = 0.025
PEAK_SHARE = 0.5
# How many frequencies are handed to scipy at once: it makes a matrix of them and the beats.
CHUNK = 256


@dataclass(frozen=True)
class Spectrum:
    """A one-sided power spectral density in ms²/Hz on the grid k/(4T), k ≥ 1, below 0.4 Hz."""

    frequencies: np.ndarray
    density: np.ndarray
    step: float
    mean_seconds: float

    @classmethod
    def of(cls, series: Intervals) -> Spectrum | None:
        """Returns the spectrum of the longest run, or None if it has fewer than 2 intervals."""
        run = series.longest_run() if len(series) else series
        if len(run) < 2:
            return None
        seconds = run.seconds
        step = 1 / (OVERSAMPLING * seconds)
        count = int(np.ceil(HF[1] / step))
        frequencies = np.arange(1, count + 1) / (OVERSAMPLING * seconds)
        frequencies = frequencies[frequencies < HF[1]]
        times = run.ends / (1000 * run.scale)
        values = (run.extended - run.extended.mean()).astype(float)
        # Of a single frequency scipy gives a scalar.
        parts = [
            np.atleast_1d(lombscargle(times, values, 2 * np.pi * frequencies[at : at + CHUNK], normalize=False))
            for at in range(0, len(frequencies), CHUNK)
        ]
        power = np.concatenate(parts) if parts else np.zeros(0)
        return cls(frequencies, 2 * (seconds / len(run)) * power, step, seconds / len(run))

    def power(self, band: tuple[float, float]) -> float:
        """Returns Σ PSD · step over lo ≤ f < hi, in ms²."""
        return float(self.density[self._inside(band)].sum() * self.step)

    def respiration_rate(self) -> float | None:
        """Returns the breaths per minute, or None if the highest density of the HF band is not a distinct peak that
        the beats resolve."""
        inside = self._inside(HF)
        frequencies, density = self.frequencies[inside], self.density[inside]
        if len(density) < 3:
            return None
        top = int(density.argmax())
        if top in (0, len(density) - 1) or density[top - 1] >= density[top] or density[top + 1] >= density[top]:
            return None
        peak = frequencies[top]
        if peak > 0.5 / self.mean_seconds:
            return None
        near = np.abs(frequencies - peak) <= PEAK_REACH_HZ
        return None if density[near].sum() < PEAK_SHARE * density.sum() else float(60 * peak)

    def _inside(self, band: tuple[float, float]) -> np.ndarray:
        return (self.frequencies >= band[0]) & (self.frequencies < band[1])


def frequency_domain(series: Intervals) -> dict[str, float | None]:
    """Returns band powers, their ratio and the breathing rate. None for a division by zero."""
    spectrum = Spectrum.of(series)
    if spectrum is None:
        return dict.fromkeys(("vlf", "lf", "hf", "totalPower", "lfhf", "respirationRate"))
    vlf, lf, hf = (spectrum.power(band) for band in (VLF, LF, HF))
    return {
        "vlf": vlf,
        "lf": lf,
        "hf": hf,
        "totalPower": vlf + lf + hf,
        "lfhf": lf / hf if hf > 0 else None,
        "respirationRate": spectrum.respiration_rate(),
    }
