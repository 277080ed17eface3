"""`doctor` names each fault that is staged, and nothing that is not there."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from radio_lab.guest.daemons import BLUETOOTHD_PLACES, BUS_SOCKET
from radio_lab.guest.doctor import findings
from radio_lab.guest.gatt import OtherProgram
from radio_lab.guest.waiting import wait_until
from radio_lab.scenario import Scenario, Trial

POLICY = Path("/etc/dbus-1/system.d/lab.conf")
DENIAL = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><policy user="nobody"><deny send_destination="org.bluez"/></policy></busconfig>
"""


def _doctor(trial: Trial) -> None:
    stages: tuple[Callable[[Trial], None], ...] = (
        _all_well, _busy, _full_disk, _read_only_disk, _unreadable_configuration, _blocked, _powered_off, _denied,
        _hanging, _no_adapter, _no_daemon, _not_installed, _no_bus,
    )
    for stage in stages:
        stage(trial)


def _expect_finding(trial: Trial, name: str, severity: str, *arguments: str, user: str | None = None) -> None:
    """One finding, and no other problem than it."""
    seen = findings(trial.lab.tachogram, *arguments, user=user)
    trial.expect.equal(f"what doctor says of {name}", seen.get(name), severity)
    problems = [found for found, grade in seen.items() if grade == "problem"]
    trial.expect.equal(f"problems beside {name}", problems, [name] if severity == "problem" else [])
    trial.expect.equal(f"exit code with {name}", seen["exit"], "4" if severity == "problem" else "0")


def _all_well(trial: Trial) -> None:
    _expect_finding(trial, "adapter.ready", "ok")
    _expect_finding(trial, "daemon.running", "ok")


def _busy(trial: Trial) -> None:
    other = OtherProgram()
    other.scan()
    wait_until("the adapter scans", lambda: trial.lab.adapters.property("Discovering"), 10)
    _expect_finding(trial, "adapter.busy", "warning")
    other.end()
    wait_until("the adapter rests", lambda: not trial.lab.adapters.property("Discovering"), 10)


def _full_disk(trial: Trial) -> None:
    folder = _mounted("size=4m", "full")
    _expect_finding(trial, "storage.low", "warning", "--database", f"{folder}/t.sqlite")


def _read_only_disk(trial: Trial) -> None:
    folder = _mounted("ro", "readonly")
    _expect_finding(trial, "storage.readOnly", "warning", "--database", f"{folder}/t.sqlite")


def _mounted(options: str, name: str) -> Path:
    folder = Path("/run/lab") / name
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "lab", str(folder)], check=True)
    return folder


def _unreadable_configuration(trial: Trial) -> None:
    file = Path("/etc/bluetooth/main.conf")
    before = file.read_text()
    file.write_text(before + "\nthis is no setting\n")
    _expect_finding(trial, "connection.unreadable", "warning")
    file.write_text(before)


def _blocked(trial: Trial) -> None:
    trial.lab.adapters.block(True)
    wait_until("the adapter is off", lambda: not trial.lab.adapters.is_powered(), 10)
    _expect_finding(trial, "adapter.softBlocked", "problem")
    trial.lab.adapters.block(False)
    trial.lab.adapters.wait_powered()


def _powered_off(trial: Trial) -> None:
    trial.lab.adapters.power(False)
    _expect_finding(trial, "adapter.off", "problem")
    trial.lab.adapters.power(True)


def _denied(trial: Trial) -> None:
    POLICY.write_text(DENIAL)
    os.kill(trial.lab.bus.service.pid, signal.SIGHUP)
    try:
        wait_until("the bus denies", lambda: _is_denied(trial), 10, pause=0.3)
    finally:
        _expect_finding(trial, "bus.denied", "problem", user="nobody")
        POLICY.unlink()
        os.kill(trial.lab.bus.service.pid, signal.SIGHUP)


def _is_denied(trial: Trial) -> bool:
    return "bus.denied" in findings(trial.lab.tachogram, user="nobody")


def _hanging(trial: Trial) -> None:
    os.kill(trial.lab.bluetooth.service.pid, signal.SIGSTOP)
    try:
        _expect_finding(trial, "daemon.hanging", "problem")
    finally:
        os.kill(trial.lab.bluetooth.service.pid, signal.SIGCONT)


def _no_adapter(trial: Trial) -> None:
    trial.lab.straps.do("adapter", index=0, present=False)
    wait_until("bluetoothd lets the adapter go", lambda: not trial.lab.adapters.property("Address"), 10)
    _expect_finding(trial, "adapter.absent", "problem")
    trial.lab.straps.do("adapter", index=0, present=True)
    trial.lab.adapters.wait_powered()


def _no_daemon(trial: Trial) -> None:
    trial.lab.bluetooth.stop()
    _expect_finding(trial, "daemon.notRunning", "problem")


def _not_installed(trial: Trial) -> None:
    for program in BLUETOOTHD_PLACES:
        Path(program).unlink(missing_ok=True)
    _expect_finding(trial, "daemon.notInstalled", "problem")


def _no_bus(trial: Trial) -> None:
    trial.lab.bus.service.stop()
    BUS_SOCKET.unlink(missing_ok=True)
    _expect_finding(trial, "bus.absent", "problem")


SCENARIOS = (
    Scenario("doctor", "`doctor` names each staged fault, and nothing else.", _doctor, 150, 120),
)
