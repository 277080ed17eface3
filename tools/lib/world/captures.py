"""Captures from the world: none crashes, none takes long, and heart rates are those that tshark finds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from accounts import problems_of
from heart_rates import HeartRate, from_line, from_table, from_tshark, is_subsequence
from outcome import Outcome
from program import Program, Run

FOLDERS = ("captures", "captures_mutated", "lab")
DAMAGED = "captures_mutated"
LIMIT_SECONDS = 1.0
TIME_TOLERANCE = 0.00101
EXIT_DONE, EXIT_NO_DATA = 0, 3
SENTENCE_LENGTHS = range(20, 501)
SIGNS_OF_A_CRASH = ("Fatal error", "Stack dump", "Thread 0 crashed", "error: Error(", "Optional(")

# Captures of which the number of heart rates is known for certain, by whatever tshark is installed.
KNOWN_COUNTS = {"AleBonora3_Tesi_BLE__fascia_cardio.pcapng": 20, "bluez-5.66-session.btsnoop": 23}


@dataclass(frozen=True)
class CaptureCase:
    """A file with its expected contents."""

    path: Path
    folder: str
    expected: list[HeartRate]

    @property
    def name(self) -> str:
        """The file with its folder."""
        return f"{self.folder}/{self.path.name}"


def check_captures(program: Program, world: Path) -> list[Outcome]:
    """Checks all files of the three folders."""
    cases = _cases(world)
    healthy = [beat for case in cases if case.folder != DAMAGED for beat in case.expected]
    endings = Outcome("captures: ends well", "files")
    speed = Outcome("captures: below 1 s, best of 2", "files")
    values = Outcome("captures: heart rates as tshark's", "notifications")
    accounts = Outcome("captures: accounted for", "files")
    present = {case.path.name for case in cases}
    for missing in sorted(KNOWN_COUNTS.keys() - present):
        endings.problem(missing, "the file is not there")
    slowest = 0.0
    for case in cases:
        runs = [program.run("replay", str(case.path), "--format", "json") for _ in range(2)]
        best = min(run.seconds for run in runs)
        slowest = max(slowest, best)
        speed.examined += 1
        if best >= LIMIT_SECONDS:
            speed.problem(case.name, f"{best:.2f} s")
        endings.examined += 1
        if runs[0].output != runs[1].output or runs[0].code != runs[1].code:
            endings.problem(case.name, "two runs did not end alike")
        found = _check_ending(endings, case, runs[0])
        _check_account(accounts, case, runs[0])
        if found:
            _check_values(values, case, program.run("replay", str(case.path), "--format", "ndjson"), healthy)
    speed.remark = f"slowest {slowest * 1000:.0f} ms"
    endings.remark = f"{sum(bool(case.expected) for case in cases)} with heart rates"
    return [endings, speed, values, accounts]


def _cases(world: Path) -> list[CaptureCase]:
    paths = [(folder, path) for folder in FOLDERS for path in sorted((world / folder).glob("*")) if path.is_file()]
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(from_tshark, [path for _, path in paths]))
    cases = []
    for (folder, path), heart_rates in zip(paths, found):
        table = world / f"refs_{folder}" / f"{path.name}.notifications.tsv"
        reference = from_table(table) if table.is_file() else []
        cases.append(CaptureCase(path, folder, reference or heart_rates))
    return cases


def _check_ending(outcome: Outcome, case: CaptureCase, run: Run) -> bool:
    """Checks the end of a run. Returns whether heart rates are expected."""
    known = KNOWN_COUNTS.get(case.path.name)
    if known is not None and len(case.expected) != known:
        outcome.problem(case.name, f"the reference has {len(case.expected)} heart rates instead of {known}")
    if run.crashed or any(sign in run.errors for sign in SIGNS_OF_A_CRASH):
        outcome.problem(case.name, f"crashed or hung: {run.describe()}")
        return False
    may_recover = case.folder == DAMAGED and not case.expected
    if run.code == EXIT_DONE and (case.expected or may_recover):
        report = run.object()
        total = ((report or {}).get("notifications") or {}).get("total")
        if not isinstance(total, int) or total < 1:
            outcome.problem(case.name, f"exit 0, and notifications.total is {total!r}")
            return False
        return True
    if case.expected:
        outcome.problem(case.name, f"has {len(case.expected)} heart rates: {run.describe()}")
    elif run.code != EXIT_NO_DATA:
        outcome.problem(case.name, f"has no heart rates and should end with 3: {run.describe()}")
    else:
        sentences = [line for line in run.errors.splitlines() if line.strip()]
        if len(sentences) != 1 or len(sentences[0]) not in SENTENCE_LENGTHS:
            outcome.problem(case.name, f"exit 3 wants one clear sentence on stderr, not {run.errors!r}")
    return False


def _check_account(outcome: Outcome, case: CaptureCase, run: Run) -> None:
    """Checks that the counts of a report are consistent, and those of an undamaged capture equal tshark's."""
    report = run.object()
    if report is None:
        return
    outcome.examined += 1
    for problem in problems_of(report):
        outcome.problem(case.name, problem)
    found = report["capture"]["notifications"]["found"]
    if case.folder != DAMAGED and found != len(case.expected):
        outcome.problem(case.name, f"{found} found instead of {len(case.expected)}")


def _check_values(outcome: Outcome, case: CaptureCase, run: Run, healthy: list[HeartRate]) -> None:
    """Compares the notifications of a capture, in order."""
    lines = run.lines()
    if run.code != EXIT_DONE or lines is None:
        outcome.problem(case.name, f"--format ndjson: {run.describe() if run.code else 'a line is no JSON object'}")
        return
    try:
        ours = [from_line(line) for line in lines if line.get("event") == "notification" and "heartRate" in line]
    except (KeyError, ValueError, IndexError, TypeError) as error:
        outcome.problem(case.name, f"a notification line is wrong: {error!r}")
        return
    outcome.examined += len(ours)
    if case.folder == DAMAGED:
        if len(ours) < max(1, len(case.expected)) or not is_subsequence(ours, healthy):
            outcome.problem(case.name, f"{len(ours)} notifications, not all from the undamaged capture in its order")
        return
    if len(ours) != len(case.expected):
        outcome.problem(case.name, f"{len(ours)} notifications instead of {len(case.expected)}")
    for number, (mine, reference) in enumerate(zip(ours, case.expected)):
        if not mine.same_values(reference):
            outcome.problem(case.name, f"notification {number}: {mine} instead of {reference}")
        elif abs(mine.epoch - reference.epoch) > TIME_TOLERANCE:
            outcome.problem(case.name, f"notification {number}: at {mine.epoch:.6f} instead of {reference.epoch:.6f}")
