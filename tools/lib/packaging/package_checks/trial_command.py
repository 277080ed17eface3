"""The command line of the trials."""

from __future__ import annotations

import argparse
import os
import re
import signal
import tempfile
import time
from pathlib import Path

from package_checks.debian_root import DebianRoot
from package_checks.debian_system import DebianSystem, native_architecture
from package_checks.faults import FAULTS
from package_checks.foreign_programs import EMULATORS, runnable
from package_checks.mounts import keep_mounts_private
from package_checks.package import Package
from package_checks.report import CheckUnavailable, Report, StepFailed, run, say
from package_checks.trial import Trial

ROOT = Path(__file__).resolve().parents[4]
FIXTURES = ROOT / "Fixtures"
SYSTEMS = ["bookworm", "trixie"]
NEEDED = ["debootstrap", "debian-archive-keyring", "binutils"]


def main() -> int:
    """Tries a package. Returns the exit code."""
    arguments = _arguments()
    # `kill` ends it as Ctrl-C does: with what it mounted and started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return 0 if _run(arguments) else 1
    except CheckUnavailable as reason:
        say(f"error: {reason}")
        return 1
    except KeyboardInterrupt:
        say("stopped; nothing is mounted any more")
        return 130


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/package try",
        description="Tries a Debian package in minimal systems: apt installs it with what it depends on, captures are "
        "replayed, the station runs and is stopped, the page is opened and closed, and the package is removed and "
        "purged. A package for arm64 is emulated with qemu. The systems are fetched once and kept in "
        "~/.cache/tachogram/package, 320 MB each; what changes in them is discarded. Needs root.",
    )
    parser.add_argument("package", type=Path, metavar="DEB", nargs="?", help="the package; without it, one is built")
    parser.add_argument("--arch", metavar="ARCH", help="build for amd64 or arm64 (default: as this machine)")
    parser.add_argument("--system", action="append", metavar="SUITE",
                        help=f"a release of Debian; may be repeated (default: {' and '.join(SYSTEMS)})")
    parser.add_argument("--self-test", action="store_true",
                        help="break the package in known ways, and expect that each of them is found")
    arguments = parser.parse_args()
    if arguments.package is not None and not arguments.package.is_file():
        parser.error(f"there is no {arguments.package}")
    for suite in arguments.system or []:
        if not re.fullmatch("[a-z]+", suite):
            parser.error(f"{suite} is no name of a release of Debian, such as bookworm")
    arguments.system = list(dict.fromkeys(arguments.system or SYSTEMS))
    return arguments


def _run(arguments: argparse.Namespace) -> bool:
    """Returns whether everything is as expected."""
    if os.geteuid() != 0:
        raise CheckUnavailable("installing needs root, if only in a folder of its own")
    path = arguments.package or _built(arguments.arch or native_architecture())
    with tempfile.TemporaryDirectory(prefix="tachogram-package-") as folder:
        package = Package(path.resolve(), Path(folder) / "contents")
        if package.field("Package") != "tachogram":
            raise CheckUnavailable(f"{path} is no package of tachogram")
        if arguments.arch not in (None, package.architecture):
            raise CheckUnavailable(f"{path} is for {package.architecture}, not for {arguments.arch}")
        foreign = package.architecture != native_architecture()
        if run([ROOT / "tools/lib/packaging/require", *NEEDED, *([EMULATORS] if foreign else [])],
               stderr=None).returncode != 0:
            raise CheckUnavailable("the tools of the trial are missing")
        keep_mounts_private()
        with runnable(package.architecture):
            systems = [DebianSystem(suite, package.architecture) for suite in arguments.system]
            if arguments.self_test:
                return _finds_faults(package, systems[0], Path(folder))
            # Each of them is tried, also after a failure.
            return all([_try(package, system) for system in systems])


def _built(architecture: str) -> Path:
    built = run([ROOT / "tools/package", "--arch", architecture], stderr=None)
    if built.returncode != 0:
        raise CheckUnavailable(f"there is no package for {architecture} to try")
    return Path(built.stdout.strip())


def _try(package: Package, system: DebianSystem) -> bool:
    began = time.monotonic()
    report = _tried(package, system)
    for failure in report.failures:
        say(f"failed: {system.title}: {failure}")
    verdict = f"{len(report.failures)} do not hold" if report.failures else "ok"
    say(f"{system.title}: {report.judged} expectations in {time.monotonic() - began:.0f} s, {verdict}")
    return not report.failures


def _tried(package: Package, system: DebianSystem) -> Report:
    report = Report()
    with DebianRoot.throw_away(system) as root:
        try:
            Trial(root, package, FIXTURES, report).all()
        except StepFailed as failure:
            report.expect(False, str(failure))
    return report


def _finds_faults(package: Package, system: DebianSystem, folder: Path) -> bool:
    passed = 0
    for number, fault in enumerate(FAULTS):
        say(f"self-test: {fault.name}")
        place = folder / str(number)
        place.mkdir()
        failures = "\n".join(_tried(fault.broken(package, place), system).failures)
        missing = [finding for finding in fault.findings if finding not in failures]
        if missing:
            say(f"failed: with {fault.name}, the trial does not find {missing}, but {failures or 'nothing'}")
        passed += not missing
    say(f"self-test: {passed} of {len(FAULTS)} faults are found")
    return passed == len(FAULTS)
