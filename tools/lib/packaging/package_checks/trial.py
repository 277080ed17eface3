"""A package on one release of Debian, as a user has it: installed by apt, tried, removed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from package_checks.alert_listener import alert_listener
from package_checks.debian_root import DebianRoot
from package_checks.installed import CONFIGURATION, PROGRAM, STATE, UNIT, USER, check_installed, make_state
from package_checks.mounts import mounted
from package_checks.package import Package
from package_checks.report import Report, StepFailed, progress, run, say
from package_checks.running_station import ANSWER_SECONDS, Answer, RunningStation, station

# Where the fixtures are in the system, and the capture that the station plays, with the name of its strap.
FIXTURES = "/tmp/Fixtures"
PLAYED = f"{FIXTURES}/rest/input.btsnoop"
STRAP = "Simulated HRM"
# Where a disk is almost full: its space is less than the greatest value of disk.lowMegabytes.
SMALL_DISK = "/mnt"
# Places where package managers and their kin write down what they did.
NOTES = re.compile(r"/(root|run|tmp)/.*|/var/(log|cache|lib/dpkg)/.*")


class Trial:
    """The steps; each one depends on those before it."""

    def __init__(self, root: DebianRoot, package: Package, fixtures: Path, report: Report) -> None:
        self._root = root
        self._package = package
        self._report = report
        self._title = root.system.title
        shutil.copytree(fixtures, root.path(FIXTURES))
        self._fixtures = sorted(folder.parent for folder in fixtures.glob("*/input.btsnoop"))

    def all(self) -> None:
        """Takes all steps. Throws `StepFailed` if one fails that all others depend on."""
        self.install()
        self.replay()
        make_state(self._root)
        self.serve()
        self.open_and_close()
        self.alert()
        self.remove()
        self.purge()

    def install(self) -> None:
        """Installs the package with apt, which has to find all that it depends on."""
        before = self._installed()
        with self._step(f"installing {self._package.path.name}"):
            done = self._root.apt("install", self._root.add(self._package))
            if done.returncode != 0:
                raise StepFailed(f"apt-get install fails:\n{done.stdout}{done.stderr}")
            check_installed(self._root, self._package, self._report)
            self._check_libraries()
            checked = self._root.run(PROGRAM, "config", "check")
            passed = checked.returncode == 0
            self._report.expect(passed, f"the configuration that is installed: {checked.stderr.strip()}")
        after = self._installed()
        direct = ", ".join(sorted(self._package.dependencies & after))
        say(f"{self._title}: installed, with {len(after - before) - 1} more packages; it depends on {direct}")

    def replay(self) -> None:
        """Replays all captures: output, messages and exit code are the expected ones."""
        with self._step(f"replaying {len(self._fixtures)} captures"):
            for folder in self._fixtures:
                inside = ["env", "-C", f"{FIXTURES}/{folder.name}"]
                done = self._root.run(*inside, PROGRAM, "replay", "input.btsnoop", "--format", "json", text=False)
                wanted = (_bytes(folder / "expected.json"), _bytes(folder / "expected.stderr"),
                          int(_bytes(folder / "expected.exit") or 0))
                found = (done.stdout, done.stderr, done.returncode)
                parts = zip(("output", "messages", "exit code"), found, wanted, strict=True)
                others = " and ".join(name for name, one, other in parts if one != other)
                said = done.stderr.decode(errors="replace").strip()[:200]
                failure = f"replaying {folder.name}: not the expected {others} ({done.returncode}, {said})"
                self._report.expect(not others, failure)
        self._report.expect(bool(self._fixtures), "there are no captures to replay")

    def serve(self) -> None:
        """Runs the station with a capture instead of a strap, looks at its page, and stops it."""
        with self._step("the station"):
            with station(self._root, "--replay", PLAYED, "--loop") as running:
                address = running.address
                self._check_page(running)
                seconds = self._stop(running)
            listed = self._root.run(PROGRAM, "sessions", user=USER)
            self._report.expect(STRAP in listed.stdout, f"{USER} does not see the session: {listed.stderr.strip()}")
        say(f"{self._title}: the page answered on {address}; SIGTERM ended the station in {seconds:.1f} s")

    def open_and_close(self) -> None:
        """Opens the page to the network and closes it; without systemd, the station is started again each time."""
        with self._step("open and close"):
            opened = self._expect_command("open", answer="The page is open to the local network")
            token = re.search(r"this token:\n +(\S+)", opened)
            fingerprint = re.search(r"fingerprint is\n +([0-9A-F:]+)", opened)
            if token is None or fingerprint is None:
                raise StepFailed(f"tachogram open shows no token or no fingerprint:\n{opened}")
            with station(self._root, "--replay", PLAYED, "--loop") as running:
                secure = running.address.startswith("https://")
                self._report.expect(secure, f"opened, the page is on {running.address}")
                stranger, friend = running.ask("/api/v1/live"), running.ask("/api/v1/live", token[1])
                answers = (stranger.status, friend.status)
                self._report.expect_equal(answers, (401, 200), "the answers without and with the token")
                self._report.expect_equal(friend.fingerprint, fingerprint[1], "the fingerprint of the certificate")
                self._stop(running)
            foreign = [file.name for file in self._root.path(STATE).rglob("*") if file.stat().st_uid == 0]
            self._report.expect(not foreign, f"open leaves files of root in the state: {', '.join(foreign)}")
            self._expect_command("close", answer="The page is closed.")
            with station(self._root, "--replay", PLAYED, "--loop") as running:
                loopback = running.address.startswith("http://127.0.0.1:")
                self._report.expect(loopback, f"closed, the page is on {running.address}")
                self._stop(running)

    def alert(self) -> None:
        """Runs a station on a disk that is almost full and receives its alert, for which the program loads libcurl."""
        small_disk = mounted("tmpfs", self._root.path(SMALL_DISK), "-t", "tmpfs", "-o", "size=64m,mode=1777")
        with self._step("an alert"), alert_listener() as listener, small_disk:
            settings = ["--set", f"alerts.webhook={listener.address}", "--set", "disk.lowMegabytes=1000"]
            database = f"{SMALL_DISK}/tachogram.sqlite"
            with station(self._root, "--database", database, "--replay", PLAYED, "--loop", *settings) as running:
                alert = listener.next_alert(ANSWER_SECONDS) or {}
                self._report.expect_equal(alert.get("kind"), "diskLow", f"the alert ({running.last_words()})")
                self._stop(running)

    def remove(self) -> None:
        """Removes the package: configuration and recordings are kept."""
        with self._step("removing"):
            self._expect_apt("remove", USER)
            for path in (PROGRAM, UNIT):
                self._report.expect(not self._root.path(path).exists(), f"removed, {path} is still there")
            for path in (CONFIGURATION, f"{STATE}/tachogram.sqlite"):
                self._report.expect(self._root.path(path).exists(), f"removing the package removes {path}")

    def purge(self) -> None:
        """Purges the package: nothing but the user is kept, and deleted data is reported."""
        with self._step("purging"):
            said = self._expect_apt("purge", USER)
            self._report.expect(f"Removing {STATE}" in said, f"a purge removes the recordings without a word: {said}")
            left = sorted(path for path in self._root.snapshot() if USER in path and not NOTES.fullmatch(path))
            self._report.expect(not left, f"a purge leaves {', '.join(left)}")
            self._report.expect(self._root.run("id", "-u", USER).returncode == 0, "a purge removes the user")
            audit = self._root.run("dpkg", "--audit")
            self._report.expect(audit.stdout == "", f"after a purge, dpkg --audit: {audit.stdout.strip()}")

    @contextmanager
    def _step(self, title: str) -> Iterator[None]:
        known = len(self._report.failures)
        with progress(f"{self._title}: {title}"):
            yield
        failed = len(self._report.failures) - known
        if failed:
            say(f"{self._title}: {title}: {failed} expectations do not hold")

    def _check_libraries(self) -> None:
        """Checks that each library that the program names comes from a package that it depends on."""
        program = self._package.folder / PROGRAM.lstrip("/")
        dynamic = run(["readelf", "--wide", "--dynamic", program]).stdout
        for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
            found = self._root.run("dpkg-query", "--search", f"*/{name}").stdout
            owners = re.findall(r"^([a-z0-9][a-z0-9+.-]+)(?::\S+)?: ", found, re.MULTILINE)
            known = any(self._names(owner) & self._package.dependencies for owner in owners)
            self._report.expect(known, f"{name} is of {', '.join(owners) or 'no package'}, which it does not depend on")

    def _names(self, package: str) -> set[str]:
        """Returns the names that a package can be depended on by: its own, and what it provides."""
        provided = self._root.run("dpkg-query", "--show", "--showformat", "${Provides}", package).stdout
        return {package, *(name.split()[0] for name in provided.split(",") if name.strip())}

    def _check_page(self, running: RunningStation) -> None:
        page = running.ask("/")
        self._report.expect_equal((page.status, page.kind), (200, "text/html"), "the page")
        parts = re.findall(r"""<(?:script|link)\b[^>]*(?:src|href)="([^":]+)\"""", page.text)
        self._report.expect(bool(parts), "the page has no scripts and styles")
        for part in parts:
            self._report.expect_equal(running.ask(f"/{part.lstrip('/')}").status, 200, f"the answer to {part}")
        live = running.ask_until("/api/v1/live", _has_current_reading)
        self._report.expect(_has_current_reading(live), f"the page shows no heart rate of {STRAP}: {live.text[:500]}")
        health = running.ask_until("/healthz", lambda answer: answer.status == 200)
        self._report.expect_equal(health.status, 200, f"/healthz ({health.text.strip()})")

    def _stop(self, running: RunningStation) -> float:
        code, seconds = running.stop()
        if code is None:
            raise StepFailed(f"{seconds:.0f} s after SIGTERM the station still runs")
        self._report.expect_equal(code, 0, f"the exit code after SIGTERM ({running.last_words()})")
        return seconds

    def _expect_command(self, command: str, answer: str) -> str:
        done = self._root.run(PROGRAM, command)
        if done.returncode != 0 or answer not in done.stdout:
            raise StepFailed(f"tachogram {command} ends with {done.returncode}: {done.stdout}{done.stderr.strip()}")
        return done.stdout

    def _expect_apt(self, how: str, *what: str) -> str:
        done = self._root.apt_once(how, *what)
        said = done.stdout + done.stderr
        if done.returncode != 0:
            raise StepFailed(f"apt-get {how} fails:\n{said}")
        return said

    def _installed(self) -> set[str]:
        listed = self._root.run("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\\n").stdout
        return {line.split()[1] for line in listed.splitlines() if line.startswith("installed ")}


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _has_current_reading(answer: Answer) -> bool:
    described = answer.json()
    readings = described.get("readings", []) if isinstance(described, dict) else []
    return any(one.get("isCurrent") and one.get("name") == STRAP for one in readings)
