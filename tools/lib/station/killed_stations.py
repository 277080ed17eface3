"""Stations that are killed at random moments, while straps say numbers."""

from __future__ import annotations

import random
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from air import Air, air
from ledger_database import copy_database
from processes import settings, station
from stored_numbers import Stored, look_at, numbered

ROOT = Path(__file__).resolve().parents[3]
# The interval of the default configuration, in seconds.
DEFAULT_COMMIT = 10.0
# A commit, the way of a notification to the station, and what a busy machine adds, in seconds.
ALLOWANCE = 1.0
EARLIEST, LATEST = 1.0, 25.0
STRAPS, PERIOD = 4, 1.0
# Slow enough that the strap's own notifications come seldom: once in 1000 s.
STANDING = 1e-3
PATIENCE = 30.0


@dataclass(frozen=True)
class Plan:
    """The number of stations and kills. `commit` is set if given, in seconds."""

    binary: str
    fake: str
    kills: int
    stations: int
    commit: float | None
    seed: int

    @property
    def interval(self) -> float:
        """Returns the time within which notifications are stored."""
        return self.commit or DEFAULT_COMMIT


@dataclass
class Tally:
    """The results so far, of all stations."""

    kills: int = 0
    said: int = 0
    lost: int = 0
    # The greatest age of something that was lost, in seconds.
    oldest: float = 0
    kills_that_lost: int = 0
    owed: int = 0
    behind: int = 0
    problems: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Household:
    """A station with its straps, and their notifications."""

    def __init__(self, plan: Plan, number: int, around: Air, folder: Path, tally: Tally):
        self._plan = plan
        self._name = f"station {number}"
        self._air = around
        self._folder = folder
        self._database = folder / "tachogram.sqlite"
        self._tally = tally
        self._addresses = around.addresses()
        # When each number was said by all straps.
        self._said: list[float] = []
        # The numbers that have to be there for ever, by strap.
        self._kept: dict[str, list[int]] = {address: [] for address in self._addresses}
        keys = [f"radio.bus={around.bus}", f"radio.straps={','.join(self._addresses)}"]
        if plan.commit:
            keys.append(f"storage.commit={plan.commit:g}s")
        self._arguments = settings(*keys)

    def live_and_die(self, seconds: float) -> None:
        """Runs a station that receives numbers, kills it, and examines its database."""
        first = len(self._said)
        with station(self._plan.binary, self._folder, self._arguments) as running:
            end = time.monotonic() + seconds
            if self._wait_for_listeners(end):
                self._say_until(end)
            killed = time.monotonic()
            running.kill()
        with tempfile.TemporaryDirectory(dir=self._folder) as beside:
            stored = look_at(self._plan.binary, copy_database(self._database, Path(beside)))
        self._judge(stored, first, killed)
        self._wait_until_nobody_listens()

    def end_in_order(self) -> None:
        """Runs the station again and ends it in order: all notifications are stored, and no rows are pending."""
        first = len(self._said)
        with station(self._plan.binary, self._folder, self._arguments) as running:
            self._wait_for_listeners(time.monotonic() + PATIENCE)
            self._say_until(time.monotonic() + 3 * PERIOD)
            time.sleep(0.5)
            running.end()
        stored = look_at(self._plan.binary, self._database)
        self._judge(stored, first, None)
        if stored.owed or stored.behind:
            self._fail("after the end in order a session is owed rows")

    def _wait_for_listeners(self, end: float) -> bool:
        while self._air.subscribed() < STRAPS:
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    def _wait_until_nobody_listens(self) -> None:
        end = time.monotonic() + PATIENCE
        while self._air.subscribed():
            if time.monotonic() > end:
                raise SystemExit(f"kills: {self._name}: the fake daemon thinks that somebody listens")
            time.sleep(0.1)

    def _say_until(self, end: float) -> None:
        while (left := end - time.monotonic()) > 0:
            value = numbered(len(self._said)).hex()
            for strap in range(1, STRAPS + 1):
                self._air.ask(f"value {strap} {value}")
            self._said.append(time.monotonic())
            time.sleep(max(0, min(PERIOD, left)))

    def _judge(self, stored: Stored, first: int, killed: float | None) -> None:
        """Compares the stored notifications with those sent since `first`, until the station was killed."""
        for problem in stored.problems:
            self._fail(problem)
        lost, oldest = 0, 0.0
        for address in self._addresses:
            numbers = stored.numbers.get(address, [])
            before, new = numbers[:len(self._kept[address])], numbers[len(self._kept[address]):]
            if before != self._kept[address]:
                self._fail("what an earlier kill left is not there any more")
            if new != list(range(first, first + len(new))) or first + len(new) > len(self._said):
                self._fail(f"{new} is no prefix of what was said from {first} on")
            missing = self._said[first + len(new):]
            lost += len(missing)
            if missing:
                age = (killed - missing[0]) if killed else float("inf")
                oldest = max(oldest, age)
                if age > self._plan.interval + ALLOWANCE:
                    self._fail(f"{len(missing)} values are lost, of which the oldest was {age:.1f} s old")
            self._kept[address] = numbers
        with self._tally.lock:
            self._tally.kills += killed is not None
            self._tally.said += STRAPS * (len(self._said) - first)
            self._tally.lost += lost
            self._tally.kills_that_lost += lost > 0
            self._tally.oldest = max(self._tally.oldest, oldest)
            self._tally.owed += stored.owed
            self._tally.behind += stored.behind

    def _fail(self, problem: str) -> None:
        with self._tally.lock:
            self._tally.problems.append(f"{self._name}, after {len(self._said)} seconds of values: {problem}")


def _live(plan: Plan, number: int, kills: int, capture: Path, folder: Path, tally: Tally) -> None:
    moments = random.Random(f"{plan.seed}/{number}")
    with air(plan.fake, capture, STRAPS, STANDING) as around:
        household = Household(plan, number, around, folder, tally)
        for _ in range(kills):
            household.live_and_die(moments.uniform(EARLIEST, LATEST))
        household.end_in_order()


def kill_stations(plan: Plan) -> Tally:
    """Kills several stations at the same time, repeatedly."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="tachogram-kill-") as name:
        capture = Path(name) / "strap.btsnoop"
        subprocess.run([ROOT / "tools/lib/bench/make-capture", "600", capture], check=True)
        with ThreadPoolExecutor(plan.stations) as pool:
            running = []
            for number in range(plan.stations):
                folder = Path(name) / f"station-{number}"
                folder.mkdir()
                kills = (plan.kills + number) // plan.stations
                running.append(pool.submit(_live, plan, number, kills, capture, folder, tally))
            for one in running:
                one.result()
    return tally
