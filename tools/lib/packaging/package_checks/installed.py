"""What an installed package is like, whichever way it was installed."""

from __future__ import annotations

from package_checks.debian_root import DebianRoot
from package_checks.package import Package
from package_checks.report import Report, StepFailed

USER = "tachogram"
PROGRAM = "/usr/bin/tachogram"
STATE = "/var/lib/tachogram"
CONFIGURATION = "/etc/tachogram/config.yaml"
UNIT = "/lib/systemd/system/tachogram.service"
ENABLED = "/etc/systemd/system/multi-user.target.wants/tachogram.service"


def check_installed(root: DebianRoot, package: Package, report: Report) -> None:
    """Checks the version, the user and the unit. Throws `StepFailed` if the program does not run."""
    said = root.run(PROGRAM, "--version")
    if said.returncode != 0:
        raise StepFailed(f"{PROGRAM} --version ends with {said.returncode}: {said.stderr.strip()}")
    report.expect_equal(said.stdout.strip(), package.field("Version"), "the version")
    groups = root.run("id", "-nG", USER).stdout.strip()
    report.expect_equal(groups, f"{USER} bluetooth", "the groups of the user")
    account = root.run("getent", "passwd", USER).stdout.strip().split(":")
    report.expect_equal(account[5:], [STATE, "/usr/sbin/nologin"], "home and shell of the user")
    report.expect(root.path(ENABLED).is_symlink(), "the service is not enabled")
    verified = root.run("systemd-analyze", "verify", "--man=no", UNIT)
    said_of_unit = (verified.stdout + verified.stderr).strip()
    passed = verified.returncode == 0 and not said_of_unit
    report.expect(passed, f"in {root.system.title}, the unit: {said_of_unit or verified.returncode}")


def make_state(root: DebianRoot) -> None:
    """Creates what the service manager creates for the station."""
    made = root.run("install", "-d", "-m", "700", "-o", USER, "-g", USER, STATE)
    if made.returncode != 0:
        raise StepFailed(f"{STATE} cannot be made for {USER}: {made.stderr.strip()}")
