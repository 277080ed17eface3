"""Exports of the fixtures' sessions, read by the programs that they are for: check_exports.py TACHOGRAM FIXTURES NEUROKIT.

NEUROKIT is a Python that has NeuroKit2."""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fhir.resources.bundle import Bundle
from fitparse import FitFile

from outcome import Outcome, print_outcomes

FIXTURES = ("rest", "exercise", "two-links", "contact-loss", "lost-notifications", "wide-rate")
FORMATS = ("json", "csv", "rr", "btsnoop", "kubios", "fit", "fhir")
# LOINC codes, and what they are in the windows of the JSON export.
METRICS = {"8867-4": "meanHeartRate", "80404-7": "sdnn"}
# NeuroKit2 computes with the same numbers in another order.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Session:
    """A session of a fixture with its exports."""

    name: str
    folder: Path
    report: dict[str, Any]

    def path(self, form: str) -> Path:
        """The file of a format."""
        return self.folder / f"{self.name}.{form}"

    @property
    def whole(self) -> dict[str, Any]:
        """Returns the JSON export."""
        whole: dict[str, Any] = json.loads(self.path("json").read_text())
        return whole


class Tachogram:
    """The program under test, on a database of its own."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self._binary = binary
        self._folder = folder

    def run(self, *arguments: str) -> str:
        """Runs the program and returns its output. Ends the check if it fails."""
        done = subprocess.run([self._binary, *arguments], capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise SystemExit(f"tachogram {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def session(self, fixture: Path) -> Session:
        """Replays a fixture and exports its session in all formats."""
        name = fixture.name
        database = str(self._folder / f"{name}.sqlite")
        report = json.loads(self.run(
            "replay", str(fixture / "input.btsnoop"), "--format", "json", "--database", database, "--person", "Anna"))
        session = Session(name, self._folder, report)
        for form in FORMATS:
            self.run("export", report["session"]["id"], "--format", form, "--output", str(session.path(form)),
                     "--database", database)
        return session


def check_fhir(session: Session, outcome: Outcome) -> None:
    """Checks that every resource is valid R4, refers to existing ones, and has the values of the windows of 300 s."""
    text = json.loads(session.path("fhir").read_text())
    bundle = Bundle(text)
    urls = {entry.fullUrl for entry in bundle.entry}
    whole = session.whole
    windows = {window["time"]: window["metrics"] for window in whole["windows"] if window["lengthSeconds"] == 300}
    ends = []
    for entry in text["entry"]:
        outcome.examined += 1
        resource = entry["resource"]
        if resource["resourceType"] != "Observation":
            continue
        for reference in (resource["subject"], resource["device"], *resource["derivedFrom"]):
            if reference["reference"] not in urls:
                outcome.problem(session.name, f"{reference['reference']} is not in the bundle")
        period, code = resource["effectivePeriod"], resource["code"]["coding"][0]["code"]
        if code not in METRICS or period["end"] not in windows or period["start"] < whole["session"]["start"]:
            outcome.problem(session.name, f"there is no window for the {code} of {period}")
            continue
        ends.append((code, period["end"]))
        found, expected = resource["valueQuantity"]["value"], windows[period["end"]][METRICS[code]]
        if not math.isclose(found, expected, rel_tol=1e-12):
            outcome.problem(session.name, f"{code} is {found} and not {expected}")
    if {code for code, _ in ends} != set(METRICS) or len(ends) != len(set(ends)):
        outcome.problem(session.name, f"the Observations are {ends}")


def check_fit(session: Session, outcome: Outcome) -> None:
    """Checks that fitparse reads the intervals to the millisecond, and the heart rates that the strap sent."""
    fit = FitFile(str(session.path("fit")))
    messages = list(fit.get_messages())
    found = [
        round(value * 1000)
        for message in messages if message.name == "hrv" for value in message.get_value("time") if value is not None
    ]
    expected = [math.floor(beat["rrMs"] + 0.5) for beat in session.whole["beats"]]
    outcome.examined += len(found)
    if found != expected:
        outcome.problem(session.name, f"{len(found)} intervals, and the session has {len(expected)}")
    rates = {entry.get("heartRate") for entry in session.whole["ledger"]}
    records = [message.get_value("heart_rate") for message in messages if message.name == "record"]
    if not records or not set(records) <= rates:
        outcome.problem(session.name, "records hold other heart rates than the strap sent")
    kinds = [message.name for message in messages]
    if kinds[0] != "file_id" or kinds[-1] != "activity":
        outcome.problem(session.name, f"the file is {kinds[0]} … {kinds[-1]}")


def check_btsnoop(session: Session, outcome: Outcome) -> None:
    """Checks that tshark reads the heart rate of every received value."""
    fields = [f"btatt.heart_rate_measurement.value.{bits}" for bits in (8, 16)]
    done = subprocess.run(
        ["tshark", "-r", session.path("btsnoop"), "-Y", "btatt.opcode == 0x1b", "-T", "fields",
         *(word for field in fields for word in ("-e", field))],
        capture_output=True, text=True, timeout=120, check=False)
    shown = [line.split() for line in done.stdout.splitlines()]
    expected = [[str(entry["heartRate"])] for entry in session.whole["ledger"] if "heartRate" in entry]
    outcome.examined += len(shown)
    if shown != expected:
        outcome.problem(session.name, f"tshark shows {len(shown)} heart rates, and {len(expected)} were heard")


def check_neurokit(session: Session, python: str, outcome: Outcome) -> None:
    """Checks that NeuroKit2 computes the RMSSD of the report from csv and Kubios text. It has no gaps, so only
    sessions without gaps are used."""
    if session.report["beats"]["gaps"]:
        return
    program = Path(__file__).with_name("neurokit_rmssd.py")
    done = subprocess.run([python, "-B", program, session.path("csv"), session.path("kubios")],
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        outcome.problem(session.name, f"NeuroKit2 ended with {done.returncode}: {done.stderr[-300:]}")
        return
    expected = session.report["hrv"]["raw"]["rmssd"]
    for form, found in json.loads(done.stdout).items():
        outcome.examined += 1
        if not math.isclose(found, expected, rel_tol=TOLERANCE):
            outcome.problem(session.name, f"RMSSD of {form} is {found}, that of the report {expected}")


def check_zip(tachogram: Tachogram, session: Session, outcome: Outcome) -> None:
    """Compares the files in a ZIP file of all sessions, read by Python, with those of a folder, and its table with both."""
    packed, folder = session.path("zip"), session.folder / f"{session.name}-all"
    for output in (packed, folder):
        tachogram.run("export", "--everything", "--format", "csv", "--output", str(output), "--database",
                      str(session.path("sqlite")))
    expected = {file.name: file.read_bytes() for file in folder.iterdir()}
    with zipfile.ZipFile(packed) as archive:
        damaged = archive.testzip()
        found = {name: archive.read(name) for name in archive.namelist()}
    table = list(csv.DictReader(found.pop("sessions.csv", b"").decode().splitlines()))
    outcome.examined += len(found)
    if damaged is not None or found != expected:
        outcome.problem(session.name, f"the files are {sorted(found)} and not {sorted(expected)}, or differ")
    if [row["file"] for row in table] != sorted(expected) or table[0]["session"] != session.report["session"]["id"]:
        outcome.problem(session.name, f"the table is {table}")


def main(binary: str, fixtures: str, neurokit: str) -> int:
    outcomes = [
        Outcome("FHIR: as fhir.resources 4.0.1", "resources"), Outcome("FIT: as fitparse", "intervals"),
        Outcome("btsnoop: as tshark", "values"), Outcome("csv, kubios: as NeuroKit2", "RMSSD"),
        Outcome("ZIP: as Python's zipfile", "files"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        tachogram = Tachogram(Path(binary), Path(folder))
        for name in FIXTURES:
            session = tachogram.session(Path(fixtures) / name)
            check_fhir(session, outcomes[0])
            check_fit(session, outcomes[1])
            check_btsnoop(session, outcomes[2])
            check_neurokit(session, neurokit, outcomes[3])
            check_zip(tachogram, session, outcomes[4])
    return 0 if print_outcomes(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
