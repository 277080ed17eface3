"""The least steps with which a trial fails."""

from __future__ import annotations

import sys
from collections.abc import Callable

from space_trial import Outcome, Plan

# What fails seldom is tried so often before it is given up.
FIRST_ATTEMPTS = 4


def reduced(failed: Outcome, attempts: Callable[[Plan], list[Outcome]]) -> Outcome | None:
    """Returns the failure with the least steps: none of them can be left out. What fails may not fail each time, so that each
    selection is tried more than once, and fails if one attempt finds a problem of the same kind. Returns `None` if the
    trial does not fail again."""
    least = failed

    def fails(numbers: list[int]) -> bool:
        """Returns whether a trial of these steps fails alike."""
        nonlocal least
        for outcome in attempts(failed.plan.keeping(numbers)):
            if outcome.problems.keys() & failed.problems.keys():
                least = outcome
                return True
        return False

    numbers = [step.number for step in failed.plan.drawn()]
    if not any(fails(numbers) for _ in range(FIRST_ATTEMPTS)):
        return None
    parts = 2
    while len(numbers) > 1:
        size = max(1, len(numbers) // parts)
        for begin in range(0, len(numbers), size):
            rest = numbers[:begin] + numbers[begin + size:]
            if rest and fails(rest):
                numbers, parts = rest, max(parts - 1, 2)
                print(f"space: seed {failed.plan.seed} fails with {len(numbers)} steps: "
                      f"--keep {','.join(map(str, numbers))}", file=sys.stderr, flush=True)
                break
        else:
            if size == 1:
                break
            parts = min(len(numbers), parts * 2)
    return least
