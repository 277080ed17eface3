"""check_world.py BINARY NIGHTS DIR: all checks against the world, and their table. NIGHTS is tachogram-nights."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from accounts import check_accounts
from adversarial import check_adversarial
from artifacts import check_artifacts
from captures import check_captures
from exports import check_exports
from night_models import check_night_models
from nights import check_nights
from oracle_series import check_oracle
from outcome import print_outcomes
from packets import check_packets
from polar_frames import check_polar_frames
from program import Program
from rhythms import check_rhythms
from series import check_series, check_short_series
from sinusoids import check_sinusoids


def main() -> int:
    """Runs the checks and returns the exit code."""
    program, world = Program(Path(sys.argv[1]).resolve()), Path(sys.argv[3]).resolve()
    started = time.perf_counter()
    outcomes = []
    checks = (
        check_captures, check_accounts, check_series, check_oracle, check_sinusoids, check_short_series, check_artifacts,
        check_rhythms, check_exports, check_packets, check_polar_frames, check_adversarial)
    for check in checks:
        outcomes += check(program, world)
    for compare in (check_nights, check_night_models):
        outcomes += compare(Path(sys.argv[2]).resolve(), world)
    passed = print_outcomes(outcomes)
    print(f"{'all as it should be' if passed else 'NOT as it should be'}, {time.perf_counter() - started:.0f} s")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
