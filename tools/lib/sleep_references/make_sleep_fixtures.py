"""Writes Fixtures/sleep: make_sleep_fixtures.py [--check]

Features are those of SleepECG's own functions, sleep statistics those of YASA's own class; probabilities and the
regularity index are computed here, in float64. What trees make of a night, and how its files are read, is that of the
reference in tools/lib/sleep. With --check nothing is written, and the exit code says whether the files hold what would be
written.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from feature_cases import feature_cases
from hypnogram_cases import hypnogram_cases
from network_cases import network_cases
from night_file_cases import night_file_cases
from regularity_cases import regularity_cases
from tree_cases import tree_cases

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "Fixtures/sleep"
FILES = {"features": feature_cases, "network": network_cases, "hypnograms": hypnogram_cases,
         "regularity": regularity_cases, "trees": tree_cases, "night_files": night_file_cases}
# By which share numbers differ between processors at most.
RELATIVE = 1e-7


def lines(cases: list[dict[str, Any]]) -> str:
    """Returns the text of a file: a line for each value of a case, so that differences can be read."""
    texts = []
    for case in cases:
        values = [f"  {json.dumps(key)}: {_value(value)}" for key, value in case.items()]
        texts.append("{\n" + ",\n".join(values) + "\n}")
    return "[\n" + ",\n".join(texts) + "\n]\n"


def _value(value: Any) -> str:
    rows = isinstance(value, list) and value and isinstance(value[0], list)
    if rows:
        return "[\n" + ",\n".join("    " + json.dumps(row, allow_nan=False) for row in value) + "\n  ]"
    return json.dumps(value, allow_nan=False)


def agree(one: Any, other: Any) -> bool:
    """Returns whether two values of JSON are the same but for the last digits of numbers."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(agree, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(agree(one[key], other[key]) for key in one)
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=RELATIVE)
    return bool(one == other)


def main() -> int:
    """Writes or checks the files. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, and say whether the files are right")
    options = parser.parse_args()
    wrong = 0
    for name, cases in FILES.items():
        path, text = FOLDER / f"{name}.json", lines(cases())
        if not options.check:
            path.write_text(text)
        elif not path.exists() or not agree(json.loads(path.read_text()), json.loads(text)):
            print(f"make-sleep-fixtures: {path.relative_to(ROOT)} is not what would be written", file=sys.stderr)
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
