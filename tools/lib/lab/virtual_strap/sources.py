"""Where a strap's values come from."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Callable, Iterator, Protocol

from virtual_strap.capture import MAGIC, read_capture
from virtual_strap.measurement import Measurement, all_forms, maximum_rr_intervals
from virtual_strap.script import PlayError, TimedValue, read_script
from virtual_strap.spoil import Spoiler

# The unit of an RR interval is 1/1024 s.
TICKS = 1024
LONGEST_PAUSE = 10.0


@dataclass
class Body:
    """The measurements of the strap besides the beats, which commands set and sources read."""

    contact: bool | None = True
    energy: int = 0


class ValueSource(Protocol):
    """A source of values: a strap gets the delay, waits, then gets the value."""

    @property
    def delay(self) -> float | None:
        """Returns the seconds between the previous value and the next; None: the source has no timing."""

    @property
    def unsent(self) -> float:
        """Returns the seconds of beats before the last value that no value contains, because they did not fit."""

    def take(self) -> bytes:
        """Returns the next value."""


@dataclass
class Rhythm:
    """A heart that beats in real time at a rate between 45 and 190 bpm, which a seed determines. A value contains the
    RR intervals that ended since the previous one: none or one at a high rate of values, several after a pause;
    the latest if they do not fit."""

    body: Body
    seed: int
    clock: Callable[[], float] = time.monotonic
    delay: None = None
    rate: float = 72.0
    count: int = 0
    unsent: float = 0.0

    def __post_init__(self) -> None:
        self._generator = random.Random(self.seed)
        self._last_beat = self.clock()
        self._interval = self._next_interval()

    def take(self) -> bytes:
        self.count += 1
        energy = None
        if self.count % 10 == 0:
            self.body.energy = min(0xFFFF, self.body.energy + 1)
            energy = self.body.energy
        rr = self._beats()
        room = 0 if self.body.contact is False else maximum_rr_intervals(wide=False, energy=energy is not None)
        sent = rr[-room:] if room else ()
        self.unsent += sum(rr[: len(rr) - len(sent)]) / TICKS
        return Measurement(round(self.rate), self.body.contact, energy, sent).encoded()

    def _beats(self) -> tuple[int, ...]:
        """Returns the beats in 1/1024 s. After a long pause the heart begins again, to omit the beats of an hour."""
        now, self.unsent = self.clock(), 0.0
        if now - self._last_beat > LONGEST_PAUSE:
            self.unsent, self._last_beat = now - self._last_beat, now
        ended = []
        while self._last_beat + self._interval / TICKS <= now:
            ended.append(self._interval)
            self._last_beat += self._interval / TICKS
            self._interval = self._next_interval()
        return tuple(ended)

    def _next_interval(self) -> int:
        self.rate = min(190.0, max(45.0, self.rate + self._generator.uniform(-1.0, 1.0)))
        return round(60 * TICKS / self.rate * self._generator.uniform(0.96, 1.04))


@dataclass
class Counter:
    """Counting values: two RR fields are the low and the high half of a 32-bit number that begins at 0."""

    body: Body
    delay: None = None
    count: int = 0
    unsent: float = 0.0

    def take(self) -> bytes:
        number = self.count & 0xFFFFFFFF
        self.count += 1
        return Measurement(60, self.body.contact, None, (number & 0xFFFF, number >> 16)).encoded()


class Forms:
    """Every combination of the flags, repeated."""

    delay: None = None
    unsent = 0.0

    def __init__(self) -> None:
        self._forms = cycle([form.encoded() for form in all_forms()])

    def take(self) -> bytes:
        return next(self._forms)


class Playlist:
    """Recorded values with their timing, repeated."""

    # What is between the last value and the first of the next round, where the recording does not say.
    MINIMUM_PAUSE = 1.0
    unsent = 0.0

    def __init__(self, values: list[TimedValue]) -> None:
        self._values: Iterator[TimedValue] = self._endless(values)
        self._next = next(self._values)

    @staticmethod
    def _endless(values: list[TimedValue]) -> Iterator[TimedValue]:
        yield from values
        first = TimedValue(values[0].after or Playlist.MINIMUM_PAUSE, values[0].value)
        yield from cycle([first, *values[1:]])

    @property
    def delay(self) -> float | None:
        return self._next.after

    def take(self) -> bytes:
        value = self._next.value
        self._next = next(self._values)
        return value


class Spoiled:
    """The values of another source, made invalid."""

    def __init__(self, source: ValueSource, spoilers: list[Spoiler]) -> None:
        self._source = source
        self._spoilers = spoilers

    @property
    def delay(self) -> float | None:
        return self._source.delay

    @property
    def unsent(self) -> float:
        return self._source.unsent

    def take(self) -> bytes:
        value = self._source.take()
        for spoil in self._spoilers:
            value = spoil(value)
        return value


def open_source(name: str, body: Body, seed: int) -> ValueSource:
    """Opens `rhythm`, `counter`, `forms`, or the path of a btsnoop capture or a script."""
    if name == "rhythm":
        return Rhythm(body, seed)
    if name == "counter":
        return Counter(body)
    if name == "forms":
        return Forms()
    return Playlist(_read(Path(name)))


def _read(path: Path) -> list[TimedValue]:
    try:
        with open(path, "rb") as file:
            beginning = file.read(len(MAGIC))
    except OSError as error:
        raise PlayError(f"{path} cannot be read: {error.strerror}.") from error
    return read_capture(path) if beginning == MAGIC else read_script(path)
