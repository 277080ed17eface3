"""The command line of the checks."""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
from pathlib import Path

from package_checks.contents import check_contents
from package_checks.debian_root import DebianRoot
from package_checks.debian_system import DebianSystem, native_architecture
from package_checks.foreign import check_foreign
from package_checks.lifecycle import check_lifecycle
from package_checks.package import Package
from package_checks.report import CheckUnavailable, Report, StepFailed, run, say
from package_checks.service import check_service
from package_checks.system_files import check_system_files

ROOT = Path(__file__).resolve().parents[4]
CAPTURE = ROOT / "Fixtures/rest/input.btsnoop"
SUITE = "bookworm"
NEEDED_SHORT = ["lintian", "systemd", "procps", "binutils", "dbus", "udev", "man-db"]
NEEDED_LONG = ["debootstrap"]


def main() -> int:
    """Runs the checks. Returns the exit code."""
    arguments = _arguments()
    report = Report()
    # `kill` ends it as Ctrl-C does: with what it mounted and started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _run(arguments, report)
    except CheckUnavailable as reason:
        say(f"error: {reason}")
        return 1
    except StepFailed as failure:
        report.expect(False, str(failure))
    except KeyboardInterrupt:
        say("stopped")
        return 130
    for failure in report.failures:
        say(f"failed: {failure}")
    verdict = f"{len(report.failures)} do not hold" if report.failures else "ok"
    say(f"package: {report.judged} expectations, {verdict}")
    return 1 if report.failures else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/package check",
        description="Checks a Debian package: what is in it, lintian, the unit. Without --short it is also installed, "
        "run, upgraded, removed and purged in a throw-away Debian 12, and its service runs there under systemd; that "
        "needs root, and Debian is fetched once. Of a package for arm64 only the program runs, under qemu.",
    )
    parser.add_argument("package", type=Path, metavar="DEB", help="the package")
    parser.add_argument("--short", action="store_true", help="look at the file alone; nothing is installed")
    parser.add_argument("--binary", type=Path, help="the program whose answers the installed one must give")
    arguments = parser.parse_args()
    if not arguments.package.is_file():
        parser.error(f"there is no {arguments.package}")
    return arguments


def _run(arguments: argparse.Namespace, report: Report) -> None:
    if not arguments.short and os.geteuid() != 0:
        raise CheckUnavailable("installing needs root, if only in a folder of its own; --short does not")
    _require(NEEDED_SHORT if arguments.short else NEEDED_SHORT + NEEDED_LONG)
    with tempfile.TemporaryDirectory(prefix="tachogram-package-") as folder:
        package = Package(arguments.package.resolve(), Path(folder) / "contents")
        check_contents(package, report)
        check_system_files(package, ROOT, Path(folder), report)
        if arguments.short:
            return
        binary = arguments.binary or Path(run([ROOT / "tools/lib/release-binary"], stderr=None).stdout.strip())
        if package.architecture != native_architecture():
            check_foreign(package, binary.resolve(), ROOT, CAPTURE, report)
            return
    system = DebianSystem.for_this_machine(SUITE)
    with DebianRoot.throw_away(system) as root:
        root.install_dependencies(package)
        check_lifecycle(root, package, binary.resolve(), CAPTURE, report)
    with DebianRoot.throw_away(system) as root:
        root.install_dependencies(package)
        check_service(root, package, CAPTURE, report)


def _require(packages: list[str]) -> None:
    if run([ROOT / "tools/lib/packaging/require", *packages], stderr=None).returncode != 0:
        raise CheckUnavailable("the tools of the check are missing")
