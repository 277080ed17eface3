"""Heart Rate Measurement payloads from logs and from other programs' tests, read as the specification says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from outcome import Outcome
from program import Program

CONTACT_NAMES = {"not_supported": "notSupported", "not_detected": "notDetected", "detected": "detected"}


def check_packets(program: Program, world: Path) -> list[Outcome]:
    """Checks all payloads in one call of `decode`."""
    outcome = Outcome("packets: decode as specified", "payloads")
    file = world / "hrm_packets" / "packets.json"
    packets = json.loads(file.read_text()) if file.is_file() else []
    if not packets:
        return [outcome]
    run = program.run("decode", "--format", "ndjson", *(packet["hex"] for packet in packets))
    lines = run.lines()
    if run.crashed or lines is None or len(lines) != len(packets):
        count = "no JSON lines" if lines is None else f"{len(lines)} lines"
        outcome.problem(file.name, f"{count} for {len(packets)} payloads: {run.describe()}")
        return [outcome]
    errors = 0
    for packet, line in zip(packets, lines):
        outcome.examined += 1
        errors += "error" in line
        expected = _expected(packet["spec_reading"])
        problem = _difference(packet["hex"], expected, line)
        if problem:
            outcome.problem(packet["hex"] or "the empty payload", problem)
    outcome.remark = f"{errors} of them errors"
    return [outcome]


def _expected(reading: dict[str, Any] | None) -> dict[str, Any] | None:
    """Returns the expected line, or None for a payload that must be refused."""
    if reading is None or reading["trailing_bytes"] > 0:
        return None
    return {
        "heartRate": reading["hr"],
        "contact": CONTACT_NAMES[reading["contact"]],
        "energyExpendedKJ": reading["energy_kj"],
        "rr1024": reading["rr_1024"],
    }


def _difference(payload: str, expected: dict[str, Any] | None, line: dict[str, Any]) -> str | None:
    if str(line.get("value", "")).lower() != payload.lower():
        return f"the line is about {line.get('value')!r}"
    if expected is None:
        return None if str(line.get("error", "")).strip() else f"is malformed, and was read as {line}"
    if "error" in line:
        return f"is well-formed, and was refused: {line['error']}"
    read = {key: line.get(key) for key in expected}
    return None if read == expected else f"was read as {read} instead of {expected}"
