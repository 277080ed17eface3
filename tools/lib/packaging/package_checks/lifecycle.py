"""The life of a package on a machine: installed, used, upgraded, removed, purged."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from package_checks.debian_root import DebianRoot
from package_checks.installed import CONFIGURATION, ENABLED, STATE, USER, check_installed, make_state
from package_checks.package import Package
from package_checks.report import Report, run, say

# What a purge leaves, as Debian's own packages do: the user, and what package managers and their kin write down.
MAY_STAY = re.compile(
    r"/etc/(passwd|group|g?shadow)-?|/etc/\.pwd\.lock|/(root|run|tmp)/.*|/var/(log|cache|lib/(dpkg|apt|systemd))/.*"
)


def check_lifecycle(root: DebianRoot, package: Package, binary: Path, capture: Path, report: Report) -> None:
    """Runs all checks, in the order of a user's steps."""
    before = root.snapshot()
    life = Lifecycle(root, package, report)
    life.install()
    life.answer_as(binary, capture)
    life.record()
    life.upgrade()
    life.remove()
    life.purge(before)


class Lifecycle:
    """The steps; each one depends on those before it."""

    def __init__(self, root: DebianRoot, package: Package, report: Report) -> None:
        self._root = root
        self._report = report
        self._package = package
        self._installer = root.add(package)

    def install(self) -> None:
        """Installs the package on a system with only its dependencies."""
        self._dpkg("--install", self._installer)
        check_installed(self._root, self._package, self._report)
        say(f"lifecycle: {self._package.field('Version')} is installed")

    def answer_as(self, binary: Path, capture: Path) -> None:
        """Checks that a replay has the same bytes as on the host."""
        self._root.path("/tmp/input.btsnoop").write_bytes(capture.read_bytes())
        for form in ("json", "ndjson", "text"):
            arguments = ["replay", "input.btsnoop", "--format", form]
            here = run([binary, *arguments], cwd=capture.parent)
            there = self._root.run("sh", "-c", f"cd /tmp && exec {USER} {' '.join(arguments)}")
            self._report.expect(here.returncode == 0 and here.stdout != "", f"replay as {form} fails: {here.stderr}")
            self._report.expect(here.stdout == there.stdout, f"replay as {form} gives other bytes: {there.stderr}")
            say(f"lifecycle: replay as {form}, {len(here.stdout.encode())} bytes, as here")

    def record(self) -> None:
        """Creates what the service manager creates for the station, and a session in its database."""
        make_state(self._root)
        state = self._root.path(STATE)
        uid = state.stat().st_uid
        command = ["env", f"STATE_DIRECTORY={STATE}", USER]
        stored = self._root.run(*command, "record", "--replay", "/tmp/input.btsnoop", "--speed", "max", user=USER)
        self._report.expect_equal(stored.returncode, 0, f"recording as {USER} ({stored.stderr.strip()}), exit code")
        files = sorted(state.iterdir())
        self._report.expect(f"{STATE}/tachogram.sqlite" in map(self._inside, files), "nothing was recorded")
        for file in files:
            found = (file.stat().st_uid, stat.S_IMODE(file.stat().st_mode) & 0o077)
            self._report.expect_equal(found, (uid, 0), f"owner and others' rights of {file.name}")
        # As the guide says it, without a word of where that is.
        own = self._root.run(USER, "sessions", user=USER)
        self._report.expect("Simulated HRM" in own.stdout, f"{USER} does not see the session: {own.stderr.strip()}")
        # An administrator reads along, while nothing runs.
        read = self._root.run(*command, "sessions")
        self._report.expect("Simulated HRM" in read.stdout, f"root does not see the session: {read.stderr.strip()}")
        owners = {file.stat().st_uid for file in state.iterdir()}
        self._report.expect(owners == {uid}, "what root read has files of root now")

    def upgrade(self) -> None:
        """Upgrades to the same version, with a changed configuration and service."""
        self._root.path(CONFIGURATION).write_text("# mine\n")
        self._root.run("deb-systemd-helper", "disable", "tachogram.service")
        self._root.path(ENABLED).unlink(missing_ok=True)
        self._dpkg("--install", "--force-confdef", "--force-confold", self._installer)
        self._report.expect_equal(self._root.path(CONFIGURATION).read_text(), "# mine\n", "the configuration, upgraded")
        self._report.expect(not self._root.path(ENABLED).is_symlink(), "an upgrade enables a service that was disabled")
        self._report.expect(self._root.path(f"{STATE}/tachogram.sqlite").exists(), "an upgrade removes recordings")

    def remove(self) -> None:
        """Removes the package: changed files and recordings are kept, and used after another installation."""
        self._dpkg("--remove", USER)
        self._report.expect(not self._root.path("/usr/bin/tachogram").exists(), "removed, the program is still there")
        self._report.expect_equal(self._root.path(CONFIGURATION).read_text(), "# mine\n", "the configuration, removed")
        self._report.expect(self._root.path(f"{STATE}/tachogram.sqlite").exists(), "removing removes recordings")
        self._dpkg("--install", self._installer)
        self._report.expect_equal(self._root.path(CONFIGURATION).read_text(), "# mine\n", "the configuration, again")

    def purge(self, before: set[str]) -> None:
        """Purges the package: the user is kept, and deleted data is reported."""
        said = self._dpkg("--purge", USER)
        self._report.expect(STATE in said, f"a purge removes the recordings without a word: {said}")
        left = sorted(path for path in self._root.snapshot() - before if not MAY_STAY.fullmatch(path))
        self._report.expect(not left, f"a purge leaves {', '.join(left)}")
        lost = sorted(path for path in before - self._root.snapshot() if not MAY_STAY.fullmatch(path))
        self._report.expect(not lost, f"a purge takes {', '.join(lost)}")
        named = sorted(path for path in self._root.path("/var/lib/systemd").rglob("*tachogram*"))
        self._report.expect(not named, f"a purge leaves the state of the service: {', '.join(map(str, named))}")
        self._report.expect(self._root.run("id", "-u", USER).returncode == 0, "a purge removes the user")
        say("lifecycle: upgraded, removed, back again, purged")

    def _dpkg(self, *arguments: str) -> str:
        done = self._root.run("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", *arguments)
        said = done.stdout + done.stderr
        self._report.expect(done.returncode == 0, f"dpkg {' '.join(arguments)}: {said.strip()}")
        return said

    def _inside(self, path: Path) -> str:
        return f"/{path.relative_to(self._root.folder)}"
