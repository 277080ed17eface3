"""RR series from the world: raw time-domain metrics against references of peers."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from outcome import Outcome
from program import Program, Run, is_number

# Our names and those of the references, which are rounded to 6 decimals.
REFERENCE_KEYS = {
    "meanNN": "mean_nn", "sdnn": "sdnn", "rmssd": "rmssd", "sdsd": "sdsd", "pnn50": "pnn50_div_n", "sd1": "sd1",
}
HALF_A_LAST_DIGIT = 0.5e-6
RELATIVE = 1e-9
APP_TOLERANCE = 0.02
SDNN_MINIMUM_SECONDS, RMSSD_MINIMUM_SECONDS = 60.0, 30.0
BATCH = 100


def check_series(program: Program, world: Path) -> list[Outcome]:
    """Checks every series with references."""
    references = Outcome("series: references to 6 decimals", "values")
    for path in sorted((world / "rr").glob("*.rr_ms.txt")):
        name = path.name.removesuffix(".rr_ms.txt")
        raw = _raw(program.run("analyze", str(path), "--format", "json"))
        if raw is None:
            references.problem(name, "analyze gave no report with hrv.raw")
            continue
        whole = json.loads((world / "refs" / f"{name}.json").read_text())["whole"]
        for ours, theirs in REFERENCE_KEYS.items():
            references.examined += 1
            value, reference = raw.get(ours), whole[theirs]
            if not is_number(value) or abs(value - reference) > HALF_A_LAST_DIGIT + RELATIVE * abs(reference):
                references.problem(name, f"{ours} is {value} instead of {reference}")
    return [references]


def check_short_series(program: Program, world: Path) -> list[Outcome]:
    """Checks short measurements against the values of the app that recorded them."""
    file = world / "rr" / "welltory_short.jsonl"
    measurements = [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []
    sdnn = Outcome("short series: SDNN within 2 %", "measurements")
    rmssd = Outcome("short series: RMSSD within 2 %", "measurements")
    absent = Outcome("short series: no SDNN below 60 s", "measurements")
    worst = {"sdnn": 0.0, "rmssd": 0.0}
    with tempfile.TemporaryDirectory(prefix="tachogram-series-") as folder:
        for start in range(0, len(measurements), BATCH):
            batch = measurements[start : start + BATCH]
            reports = _analyze_batch(program, Path(folder), start, batch)
            if isinstance(reports, str):
                sdnn.problem(f"{start} … {start + len(batch) - 1}", reports)
                continue
            for measurement, report in zip(batch, reports):
                raw, seconds = report["hrv"]["raw"], sum(measurement["rr_ms"]) / 1000
                if seconds < SDNN_MINIMUM_SECONDS:
                    _expect_absent(absent, measurement["id"], raw)
                else:
                    _compare(sdnn, measurement, raw, "sdnn", worst)
                if seconds >= RMSSD_MINIMUM_SECONDS:
                    _compare(rmssd, measurement, raw, "rmssd", worst)
    sdnn.remark, rmssd.remark = (f"worst {100 * worst[key]:.2f} %" for key in ("sdnn", "rmssd"))
    return [sdnn, rmssd, absent]


def _analyze_batch(
    program: Program, folder: Path, start: int, batch: list[dict[str, Any]]
) -> list[dict[str, Any]] | str:
    """Returns the reports of a batch in order, or a problem."""
    paths = []
    for offset, measurement in enumerate(batch):
        paths.append(folder / f"{start + offset:04}.rr_ms.txt")
        paths[-1].write_text("".join(f"{interval}\n" for interval in measurement["rr_ms"]))
    run = program.run("analyze", *map(str, paths), "--format", "ndjson")
    reports = run.lines()
    if run.code != 0 or reports is None:
        return run.describe() if run.code else "a line is no JSON object"
    if len(reports) != len(batch):
        return f"{len(reports)} reports for {len(batch)} files"
    for path, report in zip(paths, reports):
        if "file" in report and Path(str(report["file"])).name != path.name:
            return f"the report of {path.name} is about {report['file']}"
        if not isinstance((report.get("hrv") or {}).get("raw"), dict):
            return f"the report of {path.name} has no hrv.raw"
    return reports


def _compare(
    outcome: Outcome, measurement: dict[str, Any], raw: dict[str, Any], key: str, worst: dict[str, float]
) -> None:
    outcome.examined += 1
    value, shown = raw.get(key), measurement[key]
    if not is_number(value):
        outcome.problem(measurement["id"], f"there is no {key}: {raw.get('unavailable')}")
        return
    difference = abs(value - shown) / shown
    worst[key] = max(worst[key], difference)
    if difference > APP_TOLERANCE:
        outcome.problem(measurement["id"], f"{key} is {value}, the app shows {shown}")


def _expect_absent(outcome: Outcome, name: str, raw: dict[str, Any]) -> None:
    outcome.examined += 1
    reason = (raw.get("unavailable") or {}).get("sdnn")
    if raw.get("sdnn") is not None:
        outcome.problem(name, f"is shorter than a minute, and SDNN is {raw['sdnn']}")
    elif not reason:
        outcome.problem(name, "unavailable does not say why there is no SDNN")


def _raw(run: Run) -> dict[str, Any] | None:
    report = run.object() if run.code == 0 else None
    raw = ((report or {}).get("hrv") or {}).get("raw")
    return raw if isinstance(raw, dict) else None
