"""A trial: three stations of one space, random steps, and the comparison of the stations afterwards."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from space_rows import compare, compare_received
from space_stations import SetupError, Station, Store, folder_store, server_store
from space_steps import DIVISIONS, GROUPS, KILL_EARLIEST, KILL_LATEST, Commands, Step, draw, excluded, write_capture

NAMES = ("bedroom", "desk", "gym")
PERSON, STRAP, DAY = "P", "Polar", 86_400
# Within so many rounds stations have everything of each other.
ROUNDS = 12
# Commands that may end with 1: what they refer to may not allow them, such as sessions of two persons that are merged.
MAY_REFUSE = frozenset(
    {"person", "mark", "unmark", "split", "merge", "delete", "delete-person", "delete-range", "straps"})


@dataclass(frozen=True)
class Plan:
    """What determines a trial, except for the moments of kills and the order of events within a second."""

    seed: int
    steps: int
    store: str
    sensor: bool
    one_divides: bool
    without: tuple[str, ...]
    keep: tuple[int, ...] | None
    binary: str
    server: str | None

    def keeping(self, numbers: list[int]) -> Plan:
        """Returns the same trial with some of its steps alone."""
        return replace(self, keep=tuple(numbers))

    def drawn(self) -> list[Step]:
        """Returns the steps."""
        steps = draw(self.seed, self.steps, excluded(self.without), self.sensor, self.one_divides)
        return [step for step in steps if self.keep is None or step.number in self.keep]

    def repeat(self) -> str:
        """Returns the command that repeats the trial."""
        words = ["tools/test space 1", f"--seed {self.seed}", f"--steps {self.steps}", f"--store {self.store}"]
        words += ["--sensor"] if self.sensor else []
        words += ["--one-divides"] if self.one_divides else []
        words += [f"--without {','.join(self.without)}"] if self.without else []
        words += [f"--keep {','.join(map(str, self.keep))}"] if self.keep is not None else []
        return " ".join(words)


@dataclass
class Outcome:
    """What a trial found. The problems are lists of texts by kind: a table, or the name of another check."""

    plan: Plan
    problems: dict[str, list[str]] = field(default_factory=dict)
    # The commands, in their order, with their results.
    commands: list[str] = field(default_factory=list)
    sessions: int = 0
    entries: int = 0
    # Notifications that are there more often than they were imported.
    duplicates: int = 0
    rounds: int = 0
    seconds: float = 0

    def report(self, kind: str, text: str) -> None:
        """Notes a problem."""
        self.problems.setdefault(kind, []).append(text)


class Trial:
    """The stations of a trial in a folder."""

    def __init__(self, plan: Plan, folder: Path):
        self._plan, self._folder = plan, folder
        self._outcome = Outcome(plan)
        self._stations = [Station(name, folder / name, plan.binary) for name in NAMES]
        self._stations[-1].is_sensor = plan.sensor
        self._commands = Commands(folder, plan.seed)
        # The imports that succeeded, for the reference.
        self._imports: list[list[str]] = []
        # The stations that split or merged sessions.
        self._dividing: set[str] = set()

    def run(self) -> Outcome:
        """Runs the trial."""
        started = time.monotonic()
        with ExitStack() as stack:
            store = (folder_store(self._folder) if self._plan.server is None
                     else server_store(self._folder, self._plan.server))
            try:
                self._set_up(stack.enter_context(store))
                for step in self._plan.drawn():
                    self._make(step)
                self._settle()
                self._judge()
            except SetupError as error:
                self._outcome.report("setup", str(error))
        self._outcome.seconds = time.monotonic() - started
        return self._outcome

    def _set_up(self, store: Store) -> None:
        first, *others = self._stations
        first.found(store)
        for number, station in enumerate(self._stations[:2]):
            path = self._folder / f"first-{number}.btsnoop"
            write_capture("rest", path, number * DAY, f"{self._plan.seed}/first {number}")
            self._record(station, ["replay", str(path), "--person", PERSON])
        for station in others:
            first.invite(station, store)
        for _ in range(2):
            self._round()
        for station in self._stations:
            station.pair(STRAP)
        for _ in range(2):
            self._round()

    def _record(self, station: Station, words: list[str]) -> bool:
        result = station.run(*words)
        if result.code != 0:
            self._outcome.report("command", f"{station.name}: {' '.join(words)}: {result}")
        elif words not in self._imports:
            self._imports.append(words)
        return result.code == 0

    def _make(self, step: Step) -> None:
        station = self._stations[step.station]
        where = f"{step.number:3} {station.name:8}"
        if step.kind == "kill":
            seconds = KILL_EARLIEST + step.rolls[0] * (KILL_LATEST - KILL_EARLIEST)
            station.run_and_kill(seconds, "sync", "now")
            self._outcome.commands.append(f"{where} sync now, killed after {seconds * 1000:.0f} ms")
            return
        words = self._commands.command(step, station)
        if words is None:
            self._outcome.commands.append(f"{where} {step.kind}: nothing to do it with")
            return
        if step.kind in ("import", "replay"):
            # A file that two stations import is one recording.
            several = step.rolls[4] < 0.25
            for importing in [*(one for one in self._stations[:2] if several and one is not station), station]:
                done = self._record(importing, words)
                self._note(step, importing, words, "ok" if done else "failed")
            return
        result = station.run(*words)
        self._note(step, station, words, str(result))
        if step.kind in DIVISIONS and result.code == 0:
            self._dividing.add(station.name)
        if result.code not in ((0, 1) if step.kind in MAY_REFUSE else (0,)):
            self._outcome.report("command", f"{where} {' '.join(words)}: {result}")

    def _note(self, step: Step, station: Station, words: list[str], result: str) -> None:
        text = " ".join(words).replace(f"{self._folder}/", "")
        self._outcome.commands.append(f"{step.number:3} {station.name:8} {text}: {result}")

    def _round(self) -> bool:
        """Synchronises each station once. Returns whether nothing moved."""
        quiet = True
        for station in self._stations:
            result, nothing = station.synchronise()
            quiet = quiet and nothing
            if result.code != 0:
                self._outcome.report("command", f"{station.name}: sync now: {result}")
        return quiet

    def _settle(self) -> None:
        for self._outcome.rounds in range(1, ROUNDS + 1):
            if self._round():
                return
        self._outcome.report("settle", f"something still moves after {ROUNDS} rounds")

    def _judge(self) -> None:
        first, second, third = self._stations
        for station in self._stations:
            for problem in station.problems():
                self._outcome.report("status", f"{station.name}: {problem}")
        compare(first, second, self._outcome.report)
        if not self._plan.sensor:
            compare(first, third, self._outcome.report)
        ((self._outcome.sessions,),) = first.query("SELECT count(*) FROM session")
        ((self._outcome.entries,),) = first.query("SELECT count(*) FROM ledger")
        if set(GROUPS["delete"]) <= excluded(self._plan.without):
            self._judge_received(first)

    def _judge_received(self, station: Station) -> None:
        reference = Station("reference", self._folder / "reference", self._plan.binary)
        for words in self._imports:
            result = reference.run(*words)
            if result.code != 0:
                self._outcome.report("command", f"reference: {' '.join(words)}: {result}")
        for kind, (count, text) in compare_received(station, reference).items():
            if kind == "duplicate":
                self._outcome.duplicates = count
                # Two stations that divide one session in two ways before they know of each other each keep their parts.
                if len(self._dividing) > 1:
                    continue
            self._outcome.report(kind, text)
