"""Texts with data of a night, and the series that the reference implementation of tools/lib/sleep reads from them."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "sleep"))

from nights import beat_heart_rate, beats, movement_series, normal_beats, sampled_heart_rate  # noqa: E402

EPOCHS = 12
DIGITS = 13


def rr_text(seed: int) -> str:
    """Returns beats of some minutes, with ectopic ones, a pause and intervals that are too short and too long."""
    source, time, lines = random.Random(seed), 0.188, ["beat_time_s\trr_ms\tprev_type\ttype"]
    before = "[0]"
    length = 188
    while time < EPOCHS * 30:
        kind = source.choice(["V", "A"]) if source.random() < 0.05 else "N"
        lines.append(f"{time:.3f}\t{length}\t{before}\t{kind}")
        before = kind
        length = source.choice([250, 300, 2000, 2004]) if source.random() < 0.03 else source.randrange(700, 1100, 4)
        # Nearly all of an epoch is missing.
        length = 28_000 if 150 < time < 151 else length
        time += length / 1000
    return "\n".join(lines) + "\n"


def heart_rate_text(seed: int) -> str:
    """Returns samples that are not in order, some of them twice or before the start, with a gap of three epochs."""
    source = random.Random(seed)
    times = [round(source.uniform(-60, EPOCHS * 30 + 60), 5) for _ in range(160)]
    lines = [f"{time},{source.randrange(50, 90)}" for time in times if not 90 <= time < 180]
    again = [f"{line.split(',')[0]},{source.randrange(50, 90)}" for line in lines[::7]]
    return "\n".join([*lines, *again]) + "\n"


def movement_text(seed: int) -> str:
    """Returns movement of epochs from the second on; two have none."""
    source = random.Random(seed)
    rows = [f"{epoch * 30}\t{source.randrange(6)}\t{source.expovariate(1):.6f}\t{source.random():.6f}"
            for epoch in range(1, EPOCHS) if epoch not in (5, 6)]
    return "\n".join(["epoch_start_s\tstage\tcount_feature\thr_std_feature", *rows]) + "\n"


def night_file_cases() -> list[dict[str, Any]]:
    """Returns the case of night_files.json."""
    texts = {"rr": rr_text(1), "heartRate": heart_rate_text(2), "movement": movement_text(3)}
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder, name) for name in texts}
        for name, text in texts.items():
            paths[name].write_text(text)
        last = max(time for time, *_ in beats(paths["rr"]))
        return [{
            "texts": texts, "sampled": _plain(sampled_heart_rate(paths["heartRate"], EPOCHS)),
            "beats": _plain(beat_heart_rate(paths["rr"], int(last // 30) + 1)),
            "movement": _plain(movement_series(paths["movement"])), "normalBeats": normal_beats(paths["rr"])}]


def _plain(values: list[float]) -> list[float | None]:
    return [None if value != value else float(f"{value:.{DIGITS}g}") for value in values]
