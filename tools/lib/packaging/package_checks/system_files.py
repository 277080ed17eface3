"""What the package tells the system: unit, bus policy, udev rules."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from package_checks.package import Package
from package_checks.report import Report, run, say

UNIT = "tachogram.service"
EXAMPLE = "without-bluetooth-management.conf"
MAXIMUM_EXPOSURE = 2.0


def check_system_files(package: Package, repository: Path, folder: Path, report: Report) -> None:
    """Reads the system files with the programs that use them. `folder` is for their temporary files."""
    unit = package.folder / "lib/systemd/system" / UNIT
    example = package.folder / "usr/share/doc/tachogram/examples" / EXAMPLE
    plain, extended = folder / "plain", folder / "extended"
    for place in (plain, extended):
        place.mkdir()
        # It asks whether the program is there, and that is in the package, not on this machine.
        text = unit.read_text(encoding="utf-8").replace("/usr/bin/tachogram", str(package.folder / "usr/bin/tachogram"))
        (place / UNIT).write_text(text, encoding="utf-8")
    (extended / f"{UNIT}.d").mkdir()
    shutil.copy(example, extended / f"{UNIT}.d")
    _check_unit(plain / UNIT, MAXIMUM_EXPOSURE, "the unit", report)
    _check_unit(extended / UNIT, MAXIMUM_EXPOSURE, f"the unit with {EXAMPLE}", report)

    policy = package.folder / "usr/share/dbus-1/system.d/net.tachogram.conf"
    rules = package.folder / "lib/udev/rules.d/60-tachogram-bluetooth.rules"
    for check, file in (("dbus-policy", policy), ("udev", rules)):
        checked = run([repository / "tools/lib/check" / check, file])
        report.expect(checked.returncode == 0, f"{file.name}: {checked.stderr.strip()}")


def _check_unit(unit: Path, maximum: float, name: str, report: Report) -> None:
    verified = run(["systemd-analyze", "verify", "--man=no", unit])
    said = (verified.stdout + verified.stderr).strip()
    # An unknown key is a warning to it, and the hardening that it was meant for is not there.
    passed = verified.returncode == 0 and not said
    report.expect(passed, f"{name}: systemd-analyze verify: {said or verified.returncode}")
    rated = run(["systemd-analyze", "security", "--offline=true", "--no-pager", unit]).stdout
    exposure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", rated)
    report.expect(exposure is not None, f"{name}: systemd-analyze security gives no figure")
    if exposure is not None:
        report.expect(float(exposure[1]) <= maximum, f"{name}: exposure {exposure[1]}, above {maximum}")
        say(f"systemd: {name} is verified, exposure {exposure[1]} (at most {maximum})")
