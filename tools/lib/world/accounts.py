"""Reports account for every heart-rate notification: found is used and malformed and left out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outcome import Outcome
from program import Program

FOLDER = "adversarial"
EXIT_DONE, EXIT_NO_DATA = 0, 3


@dataclass(frozen=True)
class Wanted:
    """The expected counts of a capture of the folder `adversarial`."""

    name: str
    code: int
    used: int
    left_out: dict[str, int]
    gaps: int
    dropped: int


WANTED = (
    Wanted("servicechanged.btsnoop", EXIT_DONE, 120, {}, 1, 0),
    Wanted("late_disc_other.btsnoop", EXIT_DONE, 120, {}, 1, 0),
    Wanted("sc_gone.btsnoop", EXIT_DONE, 60, {}, 0, 0),
    Wanted("spb.pcapng", EXIT_NO_DATA, 0, {"withoutTime": 60}, 0, 0),
    Wanted("zerotime.btsnoop", EXIT_NO_DATA, 0, {"withoutTime": 120}, 0, 0),
    Wanted("drops.btsnoop", EXIT_DONE, 60, {}, 1, 5),
    # It rises before the first notification, where there is no beat that a gap could follow.
    Wanted("dropsmax.btsnoop", EXIT_DONE, 60, {}, 0, 0xFFFF_FFFF),
)


def problems_of(report: dict[str, Any]) -> list[str]:
    """Returns the contradictions in the counts of a report."""
    straps = [report] + report.get("otherStraps", [])
    accounts = [strap["notifications"] for strap in straps]
    total = report["capture"]["notifications"]
    problems = []
    for account in accounts + [total]:
        reasons = account["leftOutReasons"]
        if account["found"] != account["used"] + account["malformed"] + account["leftOut"]:
            problems.append(f"{account['found']} found are not those used, malformed and left out")
        if account["leftOut"] != sum(reasons.values()):
            problems.append(f"{account['leftOut']} left out, and {reasons}")
    unwanted = total["leftOutReasons"].get("otherStrap", 0)
    if total["found"] != sum(account["found"] for account in accounts) + unwanted:
        problems.append(f"{total['found']} found in all are not those of the straps")
    return problems


def check_accounts(program: Program, world: Path) -> list[Outcome]:
    """Checks the captures that were made to lose notifications without a message."""
    outcome = Outcome("captures made to lose notifications", "files")
    for wanted in WANTED:
        run = program.run("replay", str(world / FOLDER / wanted.name), "--format", "json")
        report = run.object()
        if run.code != wanted.code or report is None:
            outcome.problem(wanted.name, f"wanted exit {wanted.code}: {run.describe()}")
            continue
        outcome.examined += 1
        for problem in problems_of(report):
            outcome.problem(wanted.name, problem)
        found = report["notifications"]
        if (found["used"], found["leftOutReasons"]) != (wanted.used, wanted.left_out):
            outcome.problem(wanted.name, f"{found['used']} used, left out {found['leftOutReasons']}")
        if found["found"] != wanted.used + sum(wanted.left_out.values()):
            outcome.problem(wanted.name, f"{found['found']} found")
        if wanted.used == 0 and report["beats"]["coverage"] != 0:
            outcome.problem(wanted.name, "coverage without a time")
        if report["capture"]["dropped"] != wanted.dropped or report["beats"]["gaps"] != wanted.gaps:
            outcome.problem(
                wanted.name, f"{report['capture']['dropped']} dropped and {report['beats']['gaps']} gaps")
    return [outcome]
