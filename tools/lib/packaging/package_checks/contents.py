"""What is in the package, and what lintian says of it."""

from __future__ import annotations

import gzip
import re

from package_checks.package import Package
from package_checks.report import Report, run, say

PROGRAM = "/usr/bin/tachogram"
FILES = {
    PROGRAM,
    "/etc/tachogram/config.yaml",
    "/lib/systemd/system/tachogram.service",
    "/lib/udev/rules.d/60-tachogram-bluetooth.rules",
    "/usr/lib/sysusers.d/tachogram.conf",
    "/usr/share/bash-completion/completions/tachogram",
    "/usr/share/dbus-1/system.d/net.tachogram.conf",
    "/usr/share/doc/tachogram/NOTICE.gz",
    "/usr/share/doc/tachogram/README.Debian",
    "/usr/share/doc/tachogram/README.md.gz",
    "/usr/share/doc/tachogram/changelog.gz",
    "/usr/share/doc/tachogram/copyright",
    "/usr/share/doc/tachogram/examples/without-bluetooth-management.conf",
    "/usr/share/fish/vendor_completions.d/tachogram.fish",
    "/usr/share/lintian/overrides/tachogram",
    "/usr/share/man/man1/tachogram.1.gz",
    "/usr/share/zsh/vendor-completions/_tachogram",
}
# Where there may be more than these: a page a command, the pages of docs/.
MORE = re.compile(r"/usr/share/man/man1/tachogram-[a-z-]+\.1\.gz|/usr/share/doc/tachogram/docs/(adr/[0-9]{4}-)?[a-z0-9_-]+\.md(\.gz)?")
DEPENDENCIES = {"systemd-sysusers", "procps", "libc6", "libdbus-1-3", "libsqlite3-0", "libssl3", "libcurl4", "zlib1g", "libqrencode4"}
MACHINES = {"amd64": "Advanced Micro Devices X86-64", "arm64": "AArch64"}
# .deb: the Pi fetches and unpacks it. The runtime, Foundation and its tables are most of it.
MAXIMUM_BYTES = 30_000_000


def check_contents(package: Package, report: Report) -> None:
    """Checks the file without running anything in it."""
    _check_files(package, report)
    _check_program(package, report)
    _check_manual(package, report)
    _check_lintian(package, report)


def _check_files(package: Package, report: Report) -> None:
    files = {name for name in package.entries if not name.endswith("/")}
    report.expect(not FILES - files, f"not in the package: {', '.join(sorted(FILES - files))}")
    unknown = sorted(name for name in files - FILES if not MORE.fullmatch(name))
    report.expect(not unknown, f"unknown in the package: {', '.join(unknown)}")
    for name, entry in package.entries.items():
        wanted = "drwxr-xr-x" if name.endswith("/") else "-rwxr-xr-x" if name == PROGRAM else "-rw-r--r--"
        report.expect_equal((entry.mode, entry.owner), (wanted, "root/root"), name)
    report.expect_equal(package.control_file("conffiles").split(), ["/etc/tachogram/config.yaml"], "conffiles")
    missing = DEPENDENCIES - {name.split("t64")[0] for name in package.dependencies}
    report.expect(not missing, f"does not depend on {', '.join(sorted(missing))}")
    size = package.path.stat().st_size
    report.expect(size <= MAXIMUM_BYTES, f"{size} bytes; {MAXIMUM_BYTES} is the ceiling")
    say(f"contents: {len(files)} files, {size / 1e6:.1f} MB, {package.architecture}")


def _check_program(package: Package, report: Report) -> None:
    path = package.folder / PROGRAM.lstrip("/")
    header = run(["readelf", "--wide", "--file-header", "--section-headers", "--dynamic", path]).stdout
    report.expect(MACHINES.get(package.architecture, "?") in header, f"{PROGRAM} is not for {package.architecture}")
    report.expect(".symtab" not in header and ".debug_info" not in header, f"{PROGRAM} has its debugging symbols")
    # $ORIGIN, which the Swift package manager writes, is /usr/bin: root's, as the program itself.
    elsewhere = set(re.findall(r"\(R(?:UN)?PATH\).*\[([^]]*)\]", header)) - {"$ORIGIN"}
    report.expect(not elsewhere, f"{PROGRAM} looks for libraries in {', '.join(sorted(elsewhere))}")
    swift = sorted(set(re.findall(r"\[(lib(?:swift|Foundation|dispatch)[^]]*)\]", header)))
    report.expect(not swift, f"{PROGRAM} needs Swift libraries, which Debian 12 has not: {', '.join(swift)}")


def _check_manual(package: Package, report: Report) -> None:
    """Checks that every page that a page refers to exists."""
    folder = package.folder / "usr/share/man/man1"
    pages = {file.name.removesuffix(".1.gz"): gzip.decompress(file.read_bytes()).decode() for file in folder.iterdir()}
    for name, text in sorted(pages.items()):
        named = re.findall(r"^\.BR (tachogram\S*) \(1\)", text, re.MULTILINE)
        missing = {reference.replace("\\-", "-") for reference in named} - set(pages)
        report.expect(not missing, f"{name}(1) names {', '.join(sorted(missing))}, which is not there")
    report.expect(len(pages) > 10, f"only {len(pages)} man pages")
    say(f"manual: {len(pages)} pages")


def _check_lintian(package: Package, report: Report) -> None:
    lintian = run(["lintian", "--fail-on", "error,warning", "--tag-display-limit", "0", package.path])
    tags = [line for line in lintian.stdout.splitlines() if line.startswith(("E:", "W:"))]
    report.expect(lintian.returncode == 0, "lintian: " + ("; ".join(tags) or lintian.stderr.strip()))
    overridden = re.search(r"(\d+) hints? overridden", lintian.stdout + lintian.stderr)
    say(f"lintian: {len(tags)} errors and warnings, {overridden[1] if overridden else 0} overridden")
