"""What the checks against the world report: how much was compared, and what differed."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

SHOWN_PROBLEMS = 12


@dataclass
class Outcome:
    """A row of the final table. A check fails if it found a problem, or had nothing to check."""

    title: str
    unit: str
    examined: int = 0
    problems: list[str] = field(default_factory=list)
    remark: str = ""

    @property
    def passed(self) -> bool:
        """Returns whether something was examined without a problem."""
        return self.examined > 0 and not self.problems

    def problem(self, where: str, what: str) -> None:
        """Adds a problem."""
        self.problems.append(f"{where}: {what}")


def print_outcomes(outcomes: list[Outcome]) -> bool:
    """Prints problems and the table. Returns whether all passed."""
    for outcome in outcomes:
        for problem in outcome.problems[:SHOWN_PROBLEMS]:
            print(f"{outcome.title}: {problem}", file=sys.stderr)
        hidden = len(outcome.problems) - SHOWN_PROBLEMS
        if hidden > 0:
            print(f"{outcome.title}: … and {hidden} more", file=sys.stderr)
    width = max(len(outcome.title) for outcome in outcomes)
    for outcome in outcomes:
        verdict = "ok" if outcome.passed else "FAILED"
        if outcome.examined == 0:
            verdict += " (nothing was examined)"
        elif outcome.problems:
            verdict += f" ({len(outcome.problems)} problems)"
        remark = f"   {outcome.remark}" if outcome.remark else ""
        print(f"{outcome.title:<{width}}  {outcome.examined:>6} {outcome.unit:<14} {verdict}{remark}")
    return all(outcome.passed for outcome in outcomes)
