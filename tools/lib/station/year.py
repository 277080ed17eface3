"""Years of sessions in a database, made up: eight hours a day, a window of each length and a stress level each minute."""

from __future__ import annotations

import math
import random
import sqlite3
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

DAYS, HOURS, LENGTHS = 365, 8, (60, 120, 300)
MINUTE, SECOND = 60_000_000, 1_000_000
# Of the intervals so many differ.
INTERVALS = 8191


def make(binary: str, database: Path, now: int, whole_days: int, years: int = 1) -> list[str]:
    """Fills a new database up to `now`, in microseconds. Returns the sessions, the oldest first. The last
    `whole_days` have every notification and beat, other sessions one notification. With 0 years there is only one
    short recording. All hours are pending, as after an import."""
    days = DAYS * years
    capture = Path(__file__).resolve().parents[3] / "Fixtures/rest/input.btsnoop"
    subprocess.run(
        [binary, "replay", str(capture), "--database", str(database)], check=True, stdout=subprocess.DEVNULL)
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA foreign_keys = ON")
    chance = random.Random(1)
    ticks = [int(1024 + 60 * math.sin(index / 3) + chance.gauss(0, 20)) for index in range(INTERVALS)]
    strap = connection.execute("SELECT min(id) FROM strap").fetchone()[0]
    first = connection.execute("SELECT max(key) + 1 FROM session").fetchone()[0]
    names = []
    with connection:
        for day in range(days):
            key, name = first + day, str(uuid.UUID(int=chance.getrandbits(128)))
            start = now - (days - day) * 24 * 60 * MINUTE
            names.append(name)
            connection.execute(
                "INSERT INTO session (key, id, strap, person, origin, start_us, start_monotonic_us, is_complete) "
                "VALUES (?, ?, ?, NULL, 'live', ?, 0, 1)", (key, name, strap, start))
            connection.execute("INSERT INTO link VALUES (?, 0, NULL, 16, 'discovered')", (key,))
            seconds = HOURS * 3600 if day >= days - whole_days else 1
            connection.executemany("INSERT INTO ledger VALUES (?, ?, 0, 0, ?, ?, NULL, ?)", entries(key, start, seconds))
            if seconds > 1:
                connection.executemany("INSERT INTO beat VALUES (?, ?, ?, ?, ?, 0)", beats(key, seconds, ticks))
            connection.executemany(f"INSERT INTO hrv_window VALUES ({','.join('?' * 18)})", windows(key, chance))
            connection.executemany(
                f"INSERT INTO stress_measurement VALUES (NULL, {','.join('?' * 15)})", stress(key, start, chance))
    connection.close()
    return names


def forget_trends(database: Path) -> int:
    """Changes a database to the state after a bulk import: without trends, and with all hours with windows pending.
    Returns their number. A station may have it open."""
    with closing(sqlite3.connect(database, timeout=60)) as connection, connection:
        connection.execute("DELETE FROM rollup")
        connection.execute("""
            INSERT OR IGNORE INTO rollup_pending
            SELECT coalesce(person, 0), (start_us + end_us - start_monotonic_us) / 3600000000
            FROM hrv_window JOIN session ON session.key = hrv_window.session WHERE length = 300""")
        count: int = connection.execute("SELECT count(*) FROM rollup_pending").fetchone()[0]
    return count


def entries(key: int, start: int, seconds: int) -> Iterator[tuple]:
    """Returns a notification per second."""
    for second in range(seconds):
        yield key, second, second * SECOND, start + second * SECOND, b"\x10\x3c\x00\x04"


def beats(key: int, seconds: int, ticks: list[int]) -> Iterator[tuple]:
    """Returns a beat with each notification."""
    for second in range(seconds):
        yield key, second, second * SECOND, ticks[(second + 13 * key) % INTERVALS], second


def windows(key: int, chance: random.Random) -> Iterator[tuple]:
    """Returns the windows of each minute."""
    for minute in range(1, HOURS * 60 + 1):
        for length in LENGTHS:
            rate, sdnn, rmssd = chance.gauss(65, 4), chance.gauss(50, 8), chance.gauss(42, 8)
            values = (60_000 / rate, rate, sdnn, rmssd, math.log(max(rmssd, 1)), rmssd, 20, 40, rmssd / 1.41, sdnn)
            yield (key, length, minute * MINUTE, 1, 0, length, length - 1, length * 1000, *values)


def stress(key: int, start: int, chance: random.Random) -> Iterator[tuple]:
    """Returns a level per minute."""
    for minute in range(1, HOURS * 60 + 1):
        time, level = start + minute * MINUTE, min(99, max(0, chance.gauss(30, 15)))
        category = ("relaxed", "mild", "moderate", "high")[int(level // 25)]
        name = str(uuid.UUID(int=chance.getrandbits(128)))
        yield (name, time, level, category, 1, 50, "sdnn", 65, 55, None, key, "trial", 0, time, 0)
