"""The other side of tools/bench analysis: neurokit_peer.py FILE → a JSON object with what NeuroKit2 took for it.

Its correction by Lipponen & Tarvainen ("Kubios"); of the raw and of the corrected beats the time domain, DFA α1 of the
whole and the frequency domain of each five minutes, by its default method (Welch). Importing and reading are
not counted.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path

import neurokit2 as nk
import numpy as np

RATE = 1000
SEGMENT_SAMPLES = 300 * RATE
DFA_BOXES = np.arange(4, 17)


class Stopwatch:
    """Processor time by name."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self._mark = time.process_time()

    def took(self, part: str) -> None:
        """Adds the time since the last call to a name."""
        now = time.process_time()
        self.parts[part] = self.parts.get(part, 0.0) + now - self._mark
        self._mark = now


def analyze(peaks: np.ndarray, watch: Stopwatch) -> dict[str, float]:
    """Returns the metrics of a series of beats."""
    seen = nk.hrv_time(peaks, sampling_rate=RATE)
    watch.took("time domain")
    alpha, _ = nk.fractal_dfa(np.diff(peaks), scale=DFA_BOXES, overlap=False, integrate=True)
    watch.took("DFA")
    owner = peaks // SEGMENT_SAMPLES
    powers = [nk.hrv_frequency(peaks[owner == at], sampling_rate=RATE)["HRV_HF"][0] for at in range(int(owner[-1]))]
    watch.took("frequency")
    return {"meanNN": float(seen["HRV_MeanNN"][0]), "rmssd": float(seen["HRV_RMSSD"][0]), "dfaAlpha1": float(alpha),
            "segments": int(np.isfinite(powers).sum())}


def main() -> int:
    """Measures and prints."""
    warnings.filterwarnings("ignore")
    intervals = np.array([int(line) for line in Path(sys.argv[1]).read_text().split()])
    peaks = np.concatenate([[0], np.cumsum(intervals)])
    watch = Stopwatch()
    _, corrected = nk.signal_fixpeaks(peaks, sampling_rate=RATE, iterative=False, method="Kubios")
    watch.took("correction")
    raw = analyze(peaks, watch)
    analyze(np.asarray(corrected), watch)
    total = sum(watch.parts.values())
    print(json.dumps({"cpuSeconds": total, "parts": watch.parts, "beats": len(intervals), **raw}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
