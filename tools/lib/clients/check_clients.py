"""Programs of others against the fake Bluetooth daemon: check_clients.py BINARY CAPTURE [--self-test]

bleak and bluetoothctl find, connect, pair, read, subscribe, write and disconnect as they do with bluetoothd, each in a
daemon of its own on a private bus. A line a step; the exit code is 1 when one failed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bleak_steps import BleakSteps  # noqa: E402
from bluetoothctl import Bluetoothctl  # noqa: E402
from bluetoothctl_steps import BluetoothctlSteps  # noqa: E402
from fake_daemon import FakeDaemon  # noqa: E402
from steps import Steps  # noqa: E402

STRAPS = 2
# Ten seconds of the capture in one, so that a subscription need not be long.
SPEED = "10"
# What cannot go well with straps that advertise once, when discovery begins.
SELF_TEST = [
    "bleak: hears a strap again and again, at levels that vary", "bleak: finds a strap by name",
    "bleak: finds a strap by address", "bleak: finds a strap by what it advertises",
    "bleak: unpairs, and finds the strap again", "bluetoothctl: shows other levels of a strap while it scans",
]


def run(binary: str, capture: Path, *options: str) -> Steps:
    """Runs all steps of both clients."""
    steps = Steps()
    for client in (_run_bleak, _run_bluetoothctl):
        with closing(FakeDaemon(binary, capture, "--straps", str(STRAPS), "--speed", SPEED, *options)) as daemon:
            # Both clients look for the system bus.
            os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = daemon.address
            client(daemon, steps)
    if steps.count == 0:
        raise SystemExit("error: there was no step")
    return steps


def _run_bleak(daemon: FakeDaemon, steps: Steps) -> None:
    asyncio.run(BleakSteps(daemon, daemon.straps(STRAPS), steps).run())


def _run_bluetoothctl(daemon: FakeDaemon, steps: Steps) -> None:
    with tempfile.TemporaryDirectory() as home, closing(Bluetoothctl(home)) as shell:
        BluetoothctlSteps(daemon, daemon.straps(STRAPS), steps, shell).run()


def main() -> int:
    """Runs the check, or verifies that it fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("capture", type=Path)
    parser.add_argument("--self-test", action="store_true", help="see the check fail where straps advertise only once")
    arguments = parser.parse_args()
    if not arguments.self_test:
        steps = run(arguments.binary, arguments.capture)
        print(f"{steps.count} steps, " + (f"{len(steps.failed)} FAILED" if steps.failed else "all as they must be"))
        return 1 if steps.failed else 0
    steps = run(arguments.binary, arguments.capture, "--still")
    wrong = sorted(set(SELF_TEST) ^ set(steps.failed))
    print("The steps that had to fail did, and no others" if not wrong else f"Not as expected: {', '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
