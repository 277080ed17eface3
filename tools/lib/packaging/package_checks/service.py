"""The service under a running systemd: that its unit lets the program do what it has to."""

from __future__ import annotations

import time
from pathlib import Path

from package_checks.booted import BootedRoot, booted
from package_checks.debian_root import DebianRoot
from package_checks.package import Package
from package_checks.report import Report, say

UNIT = "tachogram.service"
STATE = "/var/lib/tachogram"
START_SECONDS = 30.0
STOP_SECONDS = 5.0
RESTART_SECONDS = 20.0
# A program without a station: recording a capture stands for it, in the same cage.
STAND_IN = """[Service]
Type=exec
WatchdogSec=0
KillSignal=SIGINT
ExecStart=
ExecStart=/usr/bin/tachogram record --replay /usr/share/input.btsnoop --loop
"""
# CAP_NET_ADMIN, of capability.h.
NET_ADMIN = 12
# LimitNICE=-4 in the kernel's counting.
NICE_LIMIT = 24
# What a cage that is too small leaves in the journal.
COMPLAINTS = ("Failed to", "Operation not permitted", "Permission denied", "Read-only file system", "Bad system call")
# bluetoothd is not there: the bus asks its policy, and then fails to start this.
BUS_NAME = "[D-BUS Service]\nName=org.bluez\nExec=/bin/false\nUser=root\n"


def check_service(root: DebianRoot, package: Package, capture: Path, report: Report) -> None:
    """Installs the package in a running system and looks at what becomes of the service."""
    root.install("systemd-sysv", "dbus")
    # Here services may start: they are in namespaces of their own.
    root.path("/usr/sbin/policy-rc.d").unlink()
    root.path("/usr/share/input.btsnoop").write_bytes(capture.read_bytes())
    services = root.path("/usr/share/dbus-1/system-services")
    services.mkdir(parents=True, exist_ok=True)
    (services / "org.bluez.service").write_text(BUS_NAME)
    installer = root.add(package)
    with booted(root) as system:
        ServiceCheck(system, root, report).all(installer)


class ServiceCheck:
    """The steps; each one depends on those before it."""

    def __init__(self, system: BootedRoot, root: DebianRoot, report: Report) -> None:
        self._system = system
        self._root = root
        self._report = report

    def all(self, package: str) -> None:
        """Checks the service from its first start to its removal."""
        system, report = self._system, self._report
        system.run("dpkg", "--unpack", package)
        has_station = '"station"' in system.run("/usr/bin/tachogram", "--experimental-dump-help").stdout
        if not has_station:
            system.run("mkdir", "-p", f"/etc/systemd/system/{UNIT}.d")
            drop_in = self._root.path(f"/etc/systemd/system/{UNIT}.d/stand-in.conf")
            drop_in.write_text(STAND_IN)
        configured = system.run("dpkg", "--configure", "tachogram")
        report.expect(configured.returncode == 0, f"dpkg --configure: {configured.stdout}{configured.stderr}")
        self._expect_active("after the installation")
        state = system.run("stat", "--format", "%U %a", STATE).stdout.strip()
        report.expect_equal(state, "tachogram 700", "owner and mode of the state")
        self._check_policy()
        self._check_rights()
        if has_station:
            self._check_station()
        self._check_restart()
        self._check_stop()
        self._check_journal()
        system.run("systemctl", "start", UNIT)
        system.run("dpkg", "--purge", "tachogram")
        state = system.run("systemctl", "is-active", UNIT).stdout.strip()
        report.expect(state == "inactive", f"after a purge the service is {state}")
        say(f"service: {'the station' if has_station else 'a recording in its place'} ran under "
            f"{system.run('systemctl', '--version').stdout.splitlines()[0]}")

    def _check_policy(self) -> None:
        """Checks that the bus has read the policy again after the user was created."""
        for user, allowed in (("tachogram", True), ("nobody", False)):
            call = ["dbus-send", "--system", "--print-reply", "--dest=org.bluez", "/",
                    "org.freedesktop.DBus.ObjectManager.GetManagedObjects"]
            said = self._system.run("runuser", "-u", user, "--", *call).stderr
            self._report.expect(("AccessDenied" not in said) == allowed, f"the bus answers {user}: {said.strip()}")

    def _check_station(self) -> None:
        """Checks that the page answers, and that a reload is not a restart."""
        request = "exec 3<>/dev/tcp/127.0.0.1/8620 && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3"
        answer = self._system.run("bash", "-c", request)
        said = f"{answer.stdout.strip()}{answer.stderr.strip()}"
        self._report.expect(" 200 " in answer.stdout, f"/healthz answers {said}")
        process = self._system.property(UNIT, "MainPID")
        reloaded = self._system.run("systemctl", "reload", UNIT)
        self._report.expect(reloaded.returncode == 0, f"a reload fails: {reloaded.stderr.strip()}")
        self._expect_active("after a reload")
        self._report.expect_equal(self._system.property(UNIT, "MainPID"), process, "the process after a reload")

    def _check_rights(self) -> None:
        """Checks that every thread has the one capability of the unit, and that none would be inherited."""
        process = self._system.property(UNIT, "MainPID")
        lines = self._system.run("bash", "-c", f"cat /proc/{process}/task/*/status").stdout.splitlines()
        found = {name: {line.split()[1] for line in lines if line.startswith(name)} for name in ("CapEff:", "CapAmb:")}
        self._report.expect_equal(found, {"CapEff:": {f"{1 << NET_ADMIN:016x}"}, "CapAmb:": {f"{0:016x}"}},
                                  "the capabilities of the station and of what it runs")

    def _check_restart(self) -> None:
        self._system.run("systemctl", "kill", "--signal", "KILL", "--kill-who", "main", UNIT)
        count = ["systemctl", "show", UNIT, "--property", "NRestarts", "--value"]
        restarts = self._system.last_answer(RESTART_SECONDS, *count, awaited={"1"})
        self._report.expect_equal(restarts, "1", f"starts within {RESTART_SECONDS:.0f} s of a crash")
        self._expect_active("after a crash")

    def _check_stop(self) -> None:
        began = time.monotonic()
        self._system.run("systemctl", "stop", UNIT)
        seconds = time.monotonic() - began
        self._report.expect(seconds < STOP_SECONDS, f"stopping took {seconds:.1f} s")
        self._report.expect_equal(self._system.property(UNIT, "Result"), "success", "the result after stopping")

    def _check_journal(self) -> None:
        journal = self._system.run("journalctl", "--unit", UNIT, "--output", "cat", "--no-pager").stdout.splitlines()
        ignored = ["Failed with result 'signal'"]
        if self._system.run("prlimit", f"--nice={NICE_LIMIT}", "true").returncode != 0:
            say("service: root may not raise limits on this machine, so that LimitNICE= cannot be seen to work")
            ignored.append("Failed to set thread priority")
        complaints = [
            line for line in journal
            if any(text in line for text in COMPLAINTS) and not any(text in line for text in ignored)
        ]
        self._report.expect(not complaints, f"the journal of the service: {'; '.join(complaints[:5])}")

    def _expect_active(self, when: str) -> None:
        state = self._system.last_answer(START_SECONDS, "systemctl", "is-active", UNIT, awaited={"active", "failed"})
        journal = self._system.run("journalctl", "--unit", UNIT, "--output", "cat", "--no-pager", "--lines", "5").stdout
        self._report.expect(state == "active", f"{when} the service is {state}: {journal.strip()}")
