"""Runs one scenario inside the guest and leaves its result in the shared folder."""

from __future__ import annotations

import argparse
import os
import pty
import signal
import sys
import time
import traceback
from pathlib import Path

from radio_lab.guest.expectations import Expectations
from radio_lab.guest.failure import DeadlinePassed, ScenarioFailure
from radio_lab.guest.lab import Lab, LabPlaces
from radio_lab.result import ScenarioResult, Versions
from radio_lab.scenario import Measurements, Scenario, Trial
from radio_lab.scenarios import scenario_named

CLEANUP_SECONDS = 10


def main() -> int:
    """Runs the scenario that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--shell", action="store_true", help="bring the lab up and start a shell instead of the body")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--strap-python", required=True)
    parser.add_argument("--bluetoothd", action="append", default=[], help="a word of the command of another daemon")
    arguments = parser.parse_args()
    booted = float(Path("/proc/uptime").read_text().split()[0])
    scenario = scenario_named(arguments.scenario)
    places = LabPlaces(arguments.binary, arguments.strap_python, tuple(arguments.bluetoothd))
    lab = Lab(places, arguments.short, scenario.straps, scenario.is_watched)
    if arguments.shell:
        return _shell(lab)
    trial = Trial(lab, Expectations(), Measurements())
    # Asked before anything breaks.
    versions = Versions(os.uname().release, lab.bluetooth.version(), lab.tachogram.version())
    started = time.monotonic()
    _run(scenario, trial, scenario.limit(arguments.short))
    seconds = time.monotonic() - started
    _clean_up(trial)
    _result(scenario, trial, versions, booted, seconds).write(lab.places.shared)
    return 0


def _run(scenario: Scenario, trial: Trial, limit: float) -> None:
    """Runs the body, and the cleanup in any case."""
    signal.signal(signal.SIGALRM, _pass_deadline)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        if scenario.is_brought_up:
            trial.lab.start()
        if scenario.is_watched:
            trial.lab.monitor.start()
        scenario.body(trial)
    except ScenarioFailure as failure:
        trial.expect.fail(str(failure))
    except DeadlinePassed:
        frames = traceback.format_exc().strip().splitlines()
        places = [line.strip() for line in frames if "radio_lab/scenarios" in line]
        trial.expect.fail(f"it did not end within {limit:g} s; at the end: {places[-1] if places else frames[-3]}")
    except Exception:  # noqa: BLE001 - whatever a body throws is a failure of this scenario, told with its place
        trial.expect.fail(f"the scenario itself failed:\n{traceback.format_exc()}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if trial.expect.checks == 0:
        trial.expect.fail("the scenario checked nothing")


def _pass_deadline(_signal: int, _frame: object) -> None:
    raise DeadlinePassed


def _clean_up(trial: Trial) -> None:
    """Copies the results to the host, within a separate time limit."""
    signal.setitimer(signal.ITIMER_REAL, CLEANUP_SECONDS)
    try:
        trial.lab.stop()
        trial.lab.keep()
    except (DeadlinePassed, Exception) as error:  # noqa: BLE001 - the result must be written whatever happens here
        trial.expect.fail(f"the logs could not be brought back: {error!r}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _result(scenario: Scenario, trial: Trial, versions: Versions, booted: float, seconds: float) -> ScenarioResult:
    measured = trial.measure
    return ScenarioResult(
        name=scenario.name, is_short=trial.lab.short, passed=not trial.expect.failures, failures=trial.expect.failures,
        checks=trial.expect.checks, seconds=round(seconds, 1), boot_seconds=booted,
        versions=versions,
        recoveries=measured.recoveries, sent=measured.sent, lost=measured.lost, doubled=measured.doubled,
        figures=measured.figures, facts=measured.facts,
    )


def _shell(lab: Lab) -> int:
    lab.start()
    lab.monitor.start()
    print("The lab is up: tachogram is $TACHOGRAM, the straps listen at /run/lab/straps.socket; `exit` ends the guest.")
    os.environ["TACHOGRAM"] = lab.places.binary
    # A terminal of its own: the console is none that a shell could control jobs on.
    code = pty.spawn(["bash"])
    lab.stop()
    lab.keep()
    return os.waitstatus_to_exitcode(code)


if __name__ == "__main__":
    sys.exit(main())
