"""Writes Fixtures/conformance: make_conformance.py [--check]

Values known by a closed form are written as such, and the oracle must agree with them; the others are the oracle's.
With --check nothing is written, and the exit code says whether the files are what would be written.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from pathlib import Path

from conformance_cases import Case, frequency, histogram, nonlinear, segments, time_domain
from conformance_stress import stress
from intervals import Intervals
from oracle import Values, report

FOLDER = Path(__file__).resolve().parents[3] / "Fixtures/conformance"
FILES = {"time-domain": time_domain, "histogram": histogram, "frequency": frequency, "nonlinear": nonlinear,
         "segments": segments, "stress": stress}
# Beyond these digits platforms differ: numpy's longdouble is not the same everywhere.
DIGITS = 12
COLUMNS = 120


def values(case: Case) -> Values:
    """Returns the oracle's values of a case: of the whole, or of the segment that its parameters name."""
    series = Intervals.read([repr(value) for value in case.intervals], case.breaks)
    found = report(series)
    at = case.parameters.get("segment")
    return found.whole if at is None else found.segments[int(at)][1]


def expected(case: Case) -> dict[str, float]:
    """Returns the values to write. Raises ValueError if oracle and case do not agree."""
    if not case.intervals:
        return case.closed
    oracle = values(case)
    for name in case.unavailable:
        if oracle[name] is not None:
            raise ValueError(f"{case.name}: {name} should have no value, and the oracle gives {oracle[name]}")
    bound = case.tolerance
    for name, value in case.closed.items():
        other = oracle[name]
        allowed = bound["relative"] * abs(value) + bound.get("absolute", 0)
        if other is None or abs(other - value) > allowed:
            raise ValueError(f"{case.name}: {name} is {value} by its closed form, and the oracle gives {other}")
    computed: dict[str, float] = {}
    for name in case.computed:
        other = oracle[name]
        if other is None:
            raise ValueError(f"{case.name}: the oracle gives no {name}")
        computed[name] = other
    return {**case.closed, **computed}


def number(value: float) -> float | int:
    """Returns a number rounded to a precision that is the same everywhere; whole numbers have no fraction."""
    rounded = float(f"{value:.{DIGITS}g}")
    return int(rounded) if rounded.is_integer() else rounded


def text(case: Case) -> str:
    """Returns a case as JSON, with the intervals in filled lines."""
    fields = {
        "name": case.name,
        "group": case.group,
        "source": case.source,
        "parameters": {name: number(value) for name, value in case.parameters.items()},
        "expected": {name: number(value) for name, value in expected(case).items()},
        "unavailable": list(case.unavailable),
        "tolerance": case.tolerance,
        **({"breaksBefore": list(case.breaks)} if case.breaks else {}),
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]
    listed = ", ".join(json.dumps(exact(value)) for value in case.intervals)
    filled = textwrap.fill(listed, COLUMNS - 4).replace(", ", ",")
    block = f"[\n{textwrap.indent(filled, '    ')}\n  ]" if case.intervals else "[]"
    lines.append(f'  "intervals": {block}')
    return "{\n" + ",\n".join(lines) + "\n}"


def exact(value: float) -> float | int:
    """Returns an interval without a needless fraction."""
    return int(value) if value.is_integer() else value


def main() -> int:
    """Writes or compares all files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is not up to date")
    check = parser.parse_args().check
    stale = []
    for name, cases in FILES.items():
        body = textwrap.indent(",\n".join(text(case) for case in cases()), "    ")
        content = '{\n  "version": 1,\n  "cases": [\n' + body + "\n  ]\n}\n"
        path = FOLDER / f"{name}.json"
        if check:
            stale += [path.name] if not path.is_file() or path.read_text() != content else []
        else:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    if stale:
        print(f"not what make_conformance.py writes: {', '.join(stale)}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
