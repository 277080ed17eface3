"""A package for another architecture: its program runs, and answers as the one for this machine."""

from __future__ import annotations

from pathlib import Path

from package_checks.package import Package
from package_checks.report import Report, run, say


def check_foreign(package: Package, binary: Path, repository: Path, capture: Path, report: Report) -> None:
    """Runs the program under qemu, with the libraries of the system that it was built for."""
    program = [repository / "tools/lib/packaging/run_foreign", package.folder / "usr/bin/tachogram"]
    report.expect_equal(run([*program, "--version"]).stdout.strip(), package.field("Version"), "the version")
    for form in ("json", "ndjson", "text"):
        arguments = ["replay", capture.name, "--format", form]
        here = run([binary, *arguments], cwd=capture.parent)
        there = run([*program, *arguments], cwd=capture.parent)
        report.expect(here.returncode == 0 and here.stdout != "", f"replay as {form} fails: {here.stderr}")
        report.expect(here.stdout == there.stdout, f"replay as {form} gives other bytes: {there.stderr}")
        say(f"foreign: replay as {form} on {package.architecture}, {len(there.stdout.encode())} bytes")
