"""Frames of Polar's measurement service from the tests of Polar's SDK, with what those tests and polar-python read in them."""

from __future__ import annotations

import ast
import json
import operator
import os
import re
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from outcome import Outcome
from program import Program

ROOT = Path(__file__).resolve().parents[3]
# The tests are built first, which takes minutes in a fresh tree.
TIMEOUT_SECONDS = 3600.0
TEST = "PolarWorldTests"
EXPECTATIONS = "TACHOGRAM_POLAR_EXPECTATIONS"
# From 1970, which polar-python counts from, to 2000.
EPOCH_NANOSECONDS = 946_684_800_000_000_000
# Where the tests of this project have a number of a sample.
CHANNELS = {
    "microVolts": 0, "ecgDataTag": 1, "paceDataTag": 2, "x": 0, "y": 1, "z": 2, "calibrationStatus": 3,
    "ambientSample": 3, "operationMode": 0, "statusBits": 24,
}
ASSERTION = re.compile(
    r"^(?P<expected>.+?), \(?\w+\.\w+Samples(?:\[(?P<index>\d+)\]|(?P<last>\.last\(\)))(?: as [\w.]+\))?"
    r"\.(?P<field>\w+)(?:\[(?P<channel>\d+)\])?(?:\.toLong\(\))?(?:, [\d.]+f)?$")
COUNT = re.compile(r"^(?P<expected>\w+), \w+\.\w+Samples\.size(?:\.toLong\(\))?$|^\w+Samples\.size, (?P<other>\w+)$")
STATUS_BITS = re.compile(r"^Integer\.toBinaryString\((\w+)\.toInt\(\)\)[^,]*, ")
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitAnd: operator.and_,
    ast.RShift: operator.rshift,
}


def check_polar_frames(_program: Program, world: Path) -> list[Outcome]:
    """Checks all frames in one run of the test that reads them: no command decodes frames."""
    outcome = Outcome("Polar frames: read as Polar's SDK does", "frames")
    file = world / "pmd" / "polar_pmd_vectors.json"
    vectors = json.loads(file.read_text()) if file.is_file() else []
    if not vectors:
        return [outcome]
    expectations = [_expectation(vector) for vector in vectors]
    numbers = sum(len(expectation["values"]) for expectation in expectations)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "expectations.json"
        path.write_text(json.dumps(expectations))
        for problem in _problems(path):
            outcome.problem(file.name, problem)
    outcome.examined = len(expectations)
    refused = sum(expectation["isRefused"] for expectation in expectations)
    outcome.remark = f"{numbers} numbers, {refused} frames to be refused"
    return [outcome]


def _problems(path: Path) -> list[str]:
    """Runs the test on a file of expectations and returns what it found, each with the name of the frame."""
    try:
        run = subprocess.run(
            [ROOT / "tools" / "test", "--filter", TEST], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL, env={**os.environ, EXPECTATIONS: str(path)}, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return [f"the test did not end in {TIMEOUT_SECONDS:.0f} s"]
    lines = [re.sub(r"\x1b\[\d+m", "", line).strip() for line in run.stdout.splitlines()]
    if run.returncode == 0:
        ran = any(re.search(r"testExpectedFrames_\w+\(\) passed", line) for line in lines)
        return [] if ran else ["the test did not run"]
    issues = [
        f"{line.split('issue at ')[-1]} {following}" for line, following in zip(lines, [*lines[1:], ""])
        if "recorded an issue" in line
    ]
    return issues or [line for line in lines if "error:" in line] or [f"the test ended with {run.returncode}"]


def _expectation(vector: dict[str, Any]) -> dict[str, Any]:
    """Returns what a frame must decode to: the assertions of the SDK's test, and all that polar-python decoded."""
    expectation: dict[str, Any] = {
        "name": vector["test"], "frame": vector["frame_hex"], "factor": float(vector["factor"] or 1),
        "isRefused": any("xception" in assertion for assertion in vector["assertions"]), "values": [],
    }
    for assertion in vector["assertions"] if not expectation["isRefused"] else []:
        _add_assertion(expectation, vector, assertion)
    decoded = vector["polar_python_decoded"]
    if isinstance(decoded, dict):
        rows = decoded.get("data") or decoded["samples"]
        expectation["time"], expectation["count"] = decoded["timestamp"] - EPOCH_NANOSECONDS, len(rows)
        for sample, row in enumerate(rows):
            numbers = list(row.values()) if isinstance(row, dict) else row if isinstance(row, list) else [row]
            for channel, number in enumerate(numbers):
                expectation["values"].append({"sample": sample, "channel": channel, "value": number})
    return expectation


def _add_assertion(expectation: dict[str, Any], vector: dict[str, Any], assertion: str) -> None:
    """Adds one assertion of the SDK's test. Assertions about a name without a value are left out."""
    assertion = STATUS_BITS.sub(r"\1, ", assertion)
    if match := COUNT.match(assertion):
        expectation["count"] = _number(match["expected"] or match["other"], vector)
    elif match := ASSERTION.match(assertion):
        number = _number(match["expected"], vector)
        if number is None or match["field"] == "timeStamp":
            # Times before the last are those of a stream, which the frame alone does not have.
            if match["last"] and number is not None:
                expectation["time"] = number
        elif match["field"] in CHANNELS or match["channel"] is not None:
            channel = int(match["channel"]) if match["channel"] is not None else CHANNELS[match["field"]]
            expectation["values"].append({"sample": int(match["index"]), "channel": channel, "value": number})


def _number(text: str, vector: dict[str, Any]) -> float | int | None:
    """Returns the value of a Kotlin expression with the constants of a test, or None if a name has no value."""
    text = text.split("//")[0].strip()
    text = re.sub(r"\b(\w+)\.size\b", lambda match: str(len(vector["arrays"].get(match[1], "")) // 2), text)
    text = re.sub(r"\bMagData\.CalibrationStatus\.getById\b|\.to(?:Int|Long)\(\)", "", text)
    text = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)(?:uL|u|L)\b", r"\1", text)
    text = re.sub(r"\b(\d+\.\d+)f\b", r"\1", text)
    text = re.sub(r"(\w+) and (\w+) shr (\w+)", r"((\1 & \2) >> \3)", text)
    try:
        return _evaluated(ast.parse(text, mode="eval").body, vector)
    except (SyntaxError, LookupError):
        return None


def _evaluated(node: ast.expr, vector: dict[str, Any]) -> float | int:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.Name(id=name):
            value = _number(vector["expected_constants"][name], vector) if name != "factor" else float(vector["factor"])
            if value is None:
                raise LookupError(name)
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluated(operand, vector)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            one, other = _evaluated(left, vector), _evaluated(right, vector)
            return one // other if isinstance(one, int) and isinstance(other, int) else one / other
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OPERATORS:
            return OPERATORS[type(sign)](_evaluated(left, vector), _evaluated(right, vector))
        case ast.Call(func=ast.Name(id="intBitsToFloat"), args=[bits]):
            pattern = int(_evaluated(bits, vector)) & 0xFFFF_FFFF
            return float(struct.unpack("<f", struct.pack("<I", pattern))[0])
    raise LookupError(ast.dump(node))
