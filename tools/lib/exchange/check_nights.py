"""Exports of nights with random stages, read by other programs: check_nights.py TACHOGRAM."""

from __future__ import annotations

import csv
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fhir.resources.bundle import Bundle
from lxml import etree
from pyedflib import EdfReader

from outcome import Outcome, print_outcomes

NIGHTS = 20
EPOCH = 30
# The clocks of this zone are set in the night of the first start.
ZONE = "Europe/Berlin"
START = datetime.datetime(2026, 3, 28, 21, 40, tzinfo=datetime.timezone.utc)
FORMATS = ("csv", "edf", "apple-health", "fhir", "open-mhealth")
# The stages of the input, and what they are in this program.
STAGES = {"W": "wake", "N1": "light", "N2": "light", "N3": "deep", "R": "rem", "?": "unknown"}
APPLE = {"Awake": "wake", "AsleepCore": "light", "AsleepDeep": "deep", "AsleepREM": "rem"}
EDF = {"W": "wake", "N": "light", "N3": "deep", "R": "rem", "?": "unknown"}
LOINC = {"93830-8": "light", "93831-6": "deep", "93829-0": "rem"}


@dataclass(frozen=True)
class Night:
    """A night with its exports."""

    name: str
    start: datetime.datetime
    stages: list[str]
    folder: Path

    def path(self, form: str) -> Path:
        """The file of a format."""
        return self.folder / f"{self.name}.{form}"

    def minutes(self, *stages: str) -> float:
        """Returns the minutes in some stages."""
        return sum(one in stages for one in self.stages) * EPOCH / 60

    def position(self, time: datetime.datetime) -> int:
        """Returns the number of the epoch that begins at a time."""
        seconds = (time - self.start).total_seconds()
        if seconds % EPOCH:
            raise SystemExit(f"{self.name}: {time} is in the middle of an epoch")
        return int(seconds // EPOCH)


def random_stages(number: int) -> list[str]:
    """Returns stages in stretches, as in nights."""
    choose, stages = random.Random(number), []
    while len(stages) < 120 + number * 40:
        stages += [choose.choice([*STAGES])] * choose.randint(1, 30)
    return stages


def nights(binary: str, folder: Path) -> Iterator[Night]:
    """Imports nights and exports them in all formats."""
    environment = {**os.environ, "TZ": ZONE, "HOME": str(folder)}

    def run(*words: str) -> str:
        done = subprocess.run(
            [binary, "sleep", *words, "--database", str(folder / "t.sqlite")], capture_output=True, text=True,
            timeout=120, check=False, env=environment)
        if done.returncode != 0:
            raise SystemExit(f"tachogram sleep {' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    for number in range(NIGHTS):
        given, start = random_stages(number), START + datetime.timedelta(days=number)
        table = folder / f"{number}.input"
        table.write_text("time,stage\n" + "".join(f"{place * EPOCH},{one}\n" for place, one in enumerate(given)))
        imported = json.loads(run("import", str(table), "--start", f"{start:%FT%TZ}", "--person", "Anna", "--format", "json"))
        night = Night(str(number), start, [STAGES[one] for one in given], folder)
        for form in FORMATS:
            run("export", imported["imported"][0]["session"], "--format", form, "--output", str(night.path(form)))
        yield night


def compare(night: Night, found: list[str], outcome: Outcome) -> None:
    """Compares the stages of all epochs."""
    outcome.examined += len(found)
    if found != night.stages:
        differences = [place for place, pair in enumerate(zip(found, night.stages)) if pair[0] != pair[1]]
        outcome.problem(
            night.name, f"{len(found)} of {len(night.stages)} epochs, the first that differs is {differences[:1]}")


def check_csv(night: Night, outcome: Outcome) -> None:
    """Checks each row, with its local time."""
    rows = list(csv.DictReader(night.path("csv").read_text().splitlines()))
    for place, row in enumerate(rows):
        if night.position(datetime.datetime.fromisoformat(row["start"])) != place:
            outcome.problem(night.name, f"row {place} begins at {row['start']}")
    compare(night, [row["stage"] for row in rows], outcome)


def check_edf(night: Night, outcome: Outcome) -> None:
    """Checks that pyEDFlib reads the stages as annotations. The times of EDF+ are local, without an offset."""
    reader = EdfReader(str(night.path("edf")))
    onsets, durations, texts = reader.readAnnotations()
    reader.close()
    found: list[str] = []
    for onset, duration, text in zip(onsets, durations, texts):
        if not text.startswith("Sleep stage "):
            continue
        if round(onset) != len(found) * EPOCH:
            outcome.problem(night.name, f"{text} begins at {onset}, after {len(found)} epochs")
        found += [EDF.get(text.removeprefix("Sleep stage "), text)] * round(duration / EPOCH)
    compare(night, found, outcome)


def check_apple(night: Night, outcome: Outcome) -> None:
    """Checks that the records are valid by their own definition, and have the stages."""
    tree = etree.parse(str(night.path("apple-health")), etree.XMLParser(dtd_validation=True, resolve_entities=False))
    found = ["unknown"] * len(night.stages)
    for record in tree.iter("Record"):
        start, end = (
            night.position(datetime.datetime.strptime(record.get(key), "%Y-%m-%d %H:%M:%S %z"))
            for key in ("startDate", "endDate"))
        value = record.get("value").removeprefix("HKCategoryValueSleepAnalysis")
        if value == "InBed":
            if (start, end) != (0, len(night.stages)):
                outcome.problem(night.name, f"in bed from {start} to {end}")
            continue
        for place in range(start, end):
            found[place] = APPLE[value] if found[place] == "unknown" else "twice"
    compare(night, found, outcome)


def check_fhir(night: Night, outcome: Outcome) -> None:
    """Checks that all resources are valid R4, and have the durations."""
    text: dict[str, Any] = json.loads(night.path("fhir").read_text())
    Bundle(text)
    found = {}
    for entry in text["entry"]:
        resource = entry["resource"]
        outcome.examined += 1
        if resource["resourceType"] == "Observation":
            found[resource["code"]["coding"][0]["code"]] = resource["valueQuantity"]["value"]
    expected = {code: night.minutes(stage) for code, stage in LOINC.items()}
    if found != {"93832-4": night.minutes(*LOINC.values()), **expected}:
        outcome.problem(night.name, f"the durations are {found}")


def check_open_mhealth(night: Night, outcome: Outcome) -> None:
    """Checks the durations and the period of sleep of both data points."""
    asleep = [place for place, one in enumerate(night.stages) if one in LOINC.values()]
    period = {
        f"{key}_date_time": night.start + datetime.timedelta(seconds=place * EPOCH)
        for key, place in (("start", asleep[0]), ("end", asleep[-1] + 1))}
    points = json.loads(night.path("open-mhealth").read_text())
    for point, key in zip(points, ("total_sleep_time", "sleep_duration"), strict=True):
        outcome.examined += 1
        interval = point["body"]["effective_time_frame"]["time_interval"]
        found = {name: datetime.datetime.fromisoformat(text) for name, text in interval.items()}
        minutes = point["body"][key]["value"]
        if found != period or minutes != night.minutes(*LOINC.values()):
            outcome.problem(night.name, f"{minutes} min of sleep in {interval}")


def main(binary: str) -> int:
    """Runs the checks and returns the exit code."""
    checks = [
        (check_csv, Outcome("night, csv: as Python's csv", "epochs")),
        (check_edf, Outcome("night, EDF+: as pyEDFlib", "epochs")),
        (check_apple, Outcome("night, Apple Health: as lxml", "epochs")),
        (check_fhir, Outcome("night, FHIR: as fhir.resources 4.0.1", "resources")),
        (check_open_mhealth, Outcome("night, Open mHealth: its values", "data points")),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for night in nights(binary, Path(folder)):
            for check, outcome in checks:
                check(night, outcome)
    return 0 if print_outcomes([outcome for _, outcome in checks]) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
