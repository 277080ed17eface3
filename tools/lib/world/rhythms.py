"""Recordings whose rhythm is annotated: segments in atrial fibrillation are distinguished from those in sinus rhythm.
No segment of any recording repeats itself."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from intervals import Intervals
from oracle import read_series
from outcome import Outcome
from program import Program
from segments import segments

FIBRILLATION = "B"
# A segment is of a rhythm when at least this share of its beats is.
MOSTLY = 0.9
LEAST_FOUND = 0.9
# Of the segments of people in sinus rhythm, so many may be called irregular.
MOST_MISTAKEN = 0.005


def check_rhythms(program: Program, world: Path) -> list[Outcome]:
    """Checks the sensitivity on annotated series, false detections on all series of a day, and repetition on all
    series."""
    found, mistaken = Outcome("rhythm: fibrillation is found", "segments"), Outcome("rhythm: no mistakes", "segments")
    hits = 0
    for labels in sorted((world / "rr").glob("*.rhythm.txt")):
        name = labels.name.removesuffix(".rhythm.txt")
        series = world / "rr" / f"{name}.rr_ms.txt"
        irregular = _irregular(program, series)
        beats = labels.read_text().split()
        place = 0
        for segment in segments(Intervals.read(read_series(series))):
            here = beats[place : place + len(segment.intervals)]
            place += len(segment.intervals)
            if here and here.count(FIBRILLATION) >= MOSTLY * len(here):
                found.examined += 1
                hits += irregular.get(segment.start_seconds, False)
    wrong = 0
    for series in sorted((world / "rr").glob("24h_*.rr_ms.txt")):
        irregular = _irregular(program, series)
        mistaken.examined += len(irregular)
        wrong += sum(irregular.values())
    repeated = _check_repetition(program, sorted((world / "rr").glob("*.rr_ms.txt")))
    found.remark = f"{hits} of {found.examined}, at least {LEAST_FOUND:.0%}"
    mistaken.remark = f"{wrong} of {mistaken.examined}, at most {MOST_MISTAKEN:.1%}"
    if hits < LEAST_FOUND * found.examined:
        found.problem("rhythm", f"only {hits} of {found.examined} segments in fibrillation are irregular")
    if wrong > MOST_MISTAKEN * mistaken.examined:
        mistaken.problem("rhythm", f"{wrong} of {mistaken.examined} segments in sinus rhythm are irregular")
    return [found, mistaken, repeated]


def _check_repetition(program: Program, paths: list[Path]) -> Outcome:
    """Checks that no segment of these recordings repeats itself, but one of equal intervals does."""
    outcome = Outcome("rhythm: nothing repeats itself", "segments")
    for series in paths:
        for segment in _segments(program, series):
            outcome.examined += 1
            if segment.get("repeated"):
                outcome.problem(series.name, f"the segment at {segment['startSeconds']} s repeats itself")
    with tempfile.TemporaryDirectory() as folder:
        equal = Path(folder) / "equal.txt"
        equal.write_text("1000\n" * 400)
        if [segment.get("repeated") for segment in _segments(program, equal)] != [True]:
            outcome.problem("equal intervals", "are not said to repeat themselves")
    outcome.remark = "and equal intervals do"
    return outcome


def _irregular(program: Program, series: Path) -> dict[int, bool]:
    """Returns for the start of each segment, in seconds, whether the program reports it as irregular."""
    return {segment["startSeconds"]: segment["irregular"] for segment in _segments(program, series)}


def _segments(program: Program, series: Path) -> list[dict[str, Any]]:
    report = program.run("analyze", str(series), "--format", "json").object() or {}
    each: list[dict[str, Any]] = report.get("hrv", {}).get("segments", {}).get("each", [])
    return each
