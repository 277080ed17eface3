"""Runs scenarios, each in a guest of its own, some side by side; every one of them ends."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from radio_lab.host.guest import Guest, GuestMachine
from radio_lab.host.places import LAB_TREE, ROOT, Ingredients
from radio_lab.host.power_cut import PowerCuts, make_disk
from radio_lab.host.provenance import digest, revision
from radio_lab.result import ScenarioResult, Versions
from radio_lab.scenario import Scenario

# Booting, bringing results back and a busy machine, beside the scenario's own limit.
OVERHEAD_SECONDS = 45


@dataclass
class Guests:
    """The running guests. After a stop, none is started."""

    _running: list[Guest] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    is_stopped: bool = False

    def run(self, guest: Guest, seconds: float) -> bool:
        """Boots a guest and waits for its end. Returns whether it ended by itself in time."""
        return self.start(guest) and guest.wait(seconds)

    def start(self, guest: Guest) -> bool:
        """Boots a guest, unless the lab was stopped."""
        with self._lock:
            if self.is_stopped:
                return False
            guest.start()
            if guest not in self._running:
                self._running.append(guest)
            return True

    def stop(self) -> None:
        """Kills all guests."""
        with self._lock:
            self.is_stopped = True
            running = list(self._running)
        for guest in running:
            guest.kill()


@dataclass(frozen=True)
class RunOptions:
    """The options for running scenarios."""

    short: bool
    jobs: int
    keep: bool
    verbose: bool


class Runner:
    """Runs scenarios in guests."""

    def __init__(self, ingredients: Ingredients, options: RunOptions) -> None:
        self.ingredients = ingredients
        self.options = options
        self.guests = Guests()

    def run_all(self, scenarios: list[Scenario], told: Callable[[ScenarioResult], None]) -> list[ScenarioResult]:
        """Runs all scenarios, the longest first. Returns their results in the requested order."""
        over = threading.Timer(sum(self._host_limit(scenario) for scenario in scenarios), self.guests.stop)
        over.daemon = True
        over.start()
        by_length = sorted(scenarios, key=lambda scenario: -self._host_limit(scenario))
        pool = ThreadPoolExecutor(max_workers=self.options.jobs)
        try:
            done = list(pool.map(lambda scenario: self._run_and_tell(scenario, told), by_length))
        finally:
            # Also when Ctrl-C ends the waiting: nothing new starts, and what runs is killed, so that the pool can end.
            over.cancel()
            self.guests.stop()
            pool.shutdown(cancel_futures=True)
        results = {result.name: result for result in done}
        return [results[scenario.name] for scenario in scenarios]

    def _run_and_tell(self, scenario: Scenario, told: Callable[[ScenarioResult], None]) -> ScenarioResult:
        result = self.run_one(scenario)
        if not self.guests.is_stopped:
            told(result)
        return result

    def run_one(self, scenario: Scenario) -> ScenarioResult:
        """Boots a guest for a scenario and reads its result. The folder is kept after a failure."""
        folder = Path(tempfile.mkdtemp(prefix=f"radio-lab-{scenario.name}-"))
        is_kept = True
        try:
            guest = self.prepare(scenario, folder)
            measured_with = (revision(ROOT), digest(folder / "tachogram"))
            result = self._result(scenario, guest)
            result.versions.revision, result.versions.binary = measured_with
            result.versions.others = list(self.ingredients.others)
            is_kept = self.options.keep or not (result.passed or self.guests.is_stopped)
            result.folder = str(folder) if is_kept else None
            result.write(folder)
            return result
        finally:
            (folder / "tachogram").unlink(missing_ok=True)
            shutil.rmtree(folder / "lab", ignore_errors=True)
            if not is_kept:
                shutil.rmtree(folder, ignore_errors=True)

    def _result(self, scenario: Scenario, guest: Guest) -> ScenarioResult:
        started, problems, limit = time.monotonic(), [], self._boot_limit(scenario)
        cuts = self._cuts(scenario, guest)
        if cuts:
            problems = cuts.run(limit)
        elif not self.guests.run(guest, limit):
            problems = [f"the guest was ended after {limit:g} s"]
        seconds = time.monotonic() - started
        result = ScenarioResult.read(guest.folder) or self._no_result(scenario, guest.folder, seconds)
        result.failures += problems
        result.passed = not result.failures
        if cuts:
            result.seconds = round(seconds, 1)
            cuts.conclude(result)
        return result

    def _cuts(self, scenario: Scenario, guest: Guest) -> PowerCuts | None:
        if not scenario.cuts:
            return None
        disk = guest.folder / "disk.img"
        make_disk(disk)
        guest.machine = replace(guest.machine, disk=disk)
        return PowerCuts(guest, scenario.cuts.count(self.options.short), scenario.cuts.latest, self.guests.start)

    def prepare(self, scenario: Scenario, folder: Path, arguments: Sequence[str] = ()) -> Guest:
        """Prepares a guest for a scenario, with copies of the current binary and lab, so that later builds and edits
        have no effect."""
        shutil.copy2(self.ingredients.binary, folder / "tachogram")
        shutil.copytree(LAB_TREE, folder / "lab", ignore=shutil.ignore_patterns("__pycache__", "tests", "README.md"))
        shutil.copy2(ROOT / "tools/lib/ledger_database.py", folder / "lab")
        machine = GuestMachine(self.ingredients.kernel, verbose=self.options.verbose)
        guest = Guest(machine, folder)
        job = ["-m", "radio_lab.guest", "--scenario", scenario.name, "--binary", "/run/out/tachogram",
               "--strap-python", str(self.ingredients.strap_python), *arguments]
        job += [f"--bluetoothd={part}" for part in self.ingredients.bluetoothd]
        guest.write_job([*job, "--short"] if self.options.short else job, has_terminal="--shell" in arguments)
        return guest

    def _boot_limit(self, scenario: Scenario) -> float:
        return scenario.limit(self.options.short) + OVERHEAD_SECONDS

    def _host_limit(self, scenario: Scenario) -> float:
        boots = scenario.cuts.count(self.options.short) + 1 if scenario.cuts else 1
        return boots * self._boot_limit(scenario)

    def _no_result(self, scenario: Scenario, folder: Path, seconds: float) -> ScenarioResult:
        failure = f"no result: the guest ended after {seconds:.0f} s without one. {_last_words(folder)}"
        # The daemon is known all the same: the failure belongs into its column of the report.
        return ScenarioResult(scenario.name, self.options.short, False, [failure], seconds=round(seconds, 1),
                              versions=Versions(bluez=self.ingredients.bluez))


def _last_words(folder: Path) -> str:
    """Returns the last output of the guest: of its kernel if that failed, otherwise of the job."""
    job, console = (
        (folder / name).read_text(errors="replace").strip() if (folder / name).exists() else ""
        for name in ("job.log", "console.log")
    )
    _, panic, trace = console.partition("Kernel panic")
    return panic + trace[:600] if panic else job[-600:]
