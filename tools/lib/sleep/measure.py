"""The measuring side of tools/bench sleep; see there. Runs with the packages of requirements.txt."""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import time
from pathlib import Path

import numpy as np
import report
from estimator import Estimator
from features import features
from measurement import NETWORKS, Result, always, disturbed, left_out, of_model, of_network
from model_file import MODELS, choice_of, model_of, text_of
from network import Network, worst_difference
from nights import LIGHT, Night, slpdb_nights, walch_nights
from selection import CLOCK, HEART_RATE, MOVEMENT, VARIANTS, Bench, Variant
from tables import Table, as_json

# κ of left-out nights that must hold: four classes, and sleep and wake.
FLOORS = {
    Variant((HEART_RATE, MOVEMENT), False): (0.50, 0.50),
    Variant((HEART_RATE,), False): (0.45, 0.42),
    Variant((HEART_RATE, MOVEMENT), True): (0.43, 0.42),
}
# Of the networks to the package's own output.
LARGEST_DIFFERENCE = 1e-4
# Of the exported trees, whose leaves are rounded, to those that were trained.
LARGEST_ROUNDING = 1e-5


def progress(text: str) -> None:
    """Prints to people what is going on."""
    print(f"sleep: {text}", file=sys.stderr, flush=True)


def floors_missed(results: dict[Variant, Result]) -> list[str]:
    """Returns what is below its floor."""
    found = []
    for variant, floors in FLOORS.items():
        for classes, floor in zip((4, 2), floors):
            figure = results[variant].kappa(classes)
            if figure is None or figure.value < floor:
                found.append(f"κ of {classes} classes, {variant.title}: {figure}, floor {floor}")
    return found


def stored(variant: Variant) -> dict:
    """Returns a model file."""
    path = MODELS / f"{variant.name}.json"
    if not path.is_file():
        raise SystemExit(f"sleep: there is no {path}; run with --train")
    model: dict = json.loads(path.read_text())
    return model


def check_networks(data: Path) -> tuple[float, float]:
    """Returns the largest differences of the networks to the package's output. Ends when they are too large."""
    differences = [worst_difference(Network.read(data / "sleepecg", name), data / "sleepecg") for name in NETWORKS]
    given, own = (max(column) for column in zip(*differences))
    if max(given, own) > LARGEST_DIFFERENCE:
        raise SystemExit(f"sleep: the networks differ from SleepECG by {max(given, own):g}")
    return given, own


def check_rounding(bench: Bench, model: dict) -> None:
    """Ends when the trees of a model file have other probabilities than the same trees as they were trained."""
    shape = choice_of(model).shape
    rows = bench.columns(shape, 0)
    expected = bench.trained(shape, range(len(bench.stages))).predict(rows)
    found = np.array([Estimator(model).chances(row) for row in rows.tolist()])
    if (worst := float(np.abs(found - expected).max())) > LARGEST_ROUNDING:
        raise SystemExit(f"sleep: the exported trees of {bench.variant.name} differ by {worst:g}")


def check_causality(night: Night) -> None:
    """Ends when causal features of the first half of a night depend on the second one."""
    half = len(night.stages) // 2
    assert night.movement is not None
    whole = features(night.heart_rate, night.movement, causal=True)
    first = features(night.heart_rate[:half], night.movement[:half], causal=True)
    for name, series in first.items():
        if not np.array_equal(series, whole[name][:half], equal_nan=True):
            raise SystemExit(f"sleep: the causal feature {name} depends on later epochs")


def measure_short(data: Path) -> dict[Variant, Result]:
    """Returns the left-out nights with the choices of the model files."""
    check_networks(data)
    nights, found = walch_nights(data), {}
    check_causality(nights[0])
    for variant in FLOORS:
        progress(variant.title)
        model, bench = stored(variant), Bench(nights, variant)
        check_rounding(bench, model)
        found[variant] = left_out(nights, bench, choice_of(model))
    return found


def trained(bench: Bench, nights: list[Night], result: Result) -> dict:
    """Returns the model of all nights."""
    agreement = {
        name: figure for name, classes in (("fourClasses", 4), ("threeClasses", 3), ("sleepWake", 2))
        if (figure := result.kappa(classes)) is not None}
    model = model_of(bench, bench.choose(range(len(nights))), nights, agreement)
    check_rounding(bench, model)
    return model


def measure(data: Path, train: bool) -> tuple[report.Measurements, dict[Variant, Result]]:
    """Returns all results; with `train` the model files are made anew, otherwise they must be what would be made."""
    started = time.process_time()
    differences = check_networks(data)
    nights, records = walch_nights(data), slpdb_nights(data)
    check_causality(nights[0])
    results, models = {}, {}
    changed: list[Result] = []
    for variant in VARIANTS:
        begun = time.perf_counter()
        bench = Bench(nights, variant)
        results[variant] = left_out(nights, bench)
        model = trained(bench, nights, results[variant])
        if train:
            MODELS.mkdir(exist_ok=True)
            (MODELS / f"{variant.name}.json").write_text(text_of(model))
        elif text_of(stored(variant)) != text_of(model):
            raise SystemExit(f"sleep: {variant.name}.json is not what these nights make; run with --train")
        models[variant] = model
        if not changed:
            changed = disturbed(nights, bench, choice_of(model))
        progress(f"{variant.title}: κ {results[variant].kappa(4)}, {time.perf_counter() - begun:.0f} s")
    clocks = left_out(nights, Bench(nights, CLOCK))
    walch = [*results.values(), clocks, always(nights, LIGHT, "always light")]
    slpdb = [of_model(records, models[variant], variant.title) for variant in VARIANTS if variant.inputs == (HEART_RATE,)]
    slpdb += [of_network(records, data / "sleepecg", name) for name in NETWORKS]
    slpdb.append(always(records, LIGHT, "always light"))
    return report.Measurements(walch, changed, slpdb, differences, time.process_time() - started), results


def main() -> int:
    """Measures, prints and writes; returns the exit code."""
    parser = argparse.ArgumentParser(prog="tools/bench sleep")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.short and (arguments.train or arguments.write):
        parser.error("--short neither trains nor writes")
    for folder in ("walch_hr", "slpdb", "sleepecg"):
        if not (arguments.data / folder).is_dir():
            parser.error(f"{arguments.data} has no folder {folder}; tools/bench sleep --help says what it holds")
    tables: list[Table]
    if arguments.short:
        results = measure_short(arguments.data)
        tables = [report.agreement("walch", list(results.values()))]
    else:
        measured, results = measure(arguments.data, arguments.train)
        tables = measured.tables()
        if arguments.write:
            when = f"{datetime.date.today()}, {measured.seconds / 60:.0f} min of processor time"
            arguments.write.write_text(measured.document(when))
    missed = floors_missed(results)
    if arguments.json:
        print(as_json(tables, missed=missed))
    else:
        print("\n\n".join(f"{table.name}\n{table.text()}" for table in tables))
    for text in missed:
        print(f"sleep: below its floor: {text}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
