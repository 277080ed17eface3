"""Numbered notifications, and what a killed station stored of them."""

from __future__ import annotations

import csv
import io
import sqlite3
import struct
import subprocess
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from ledger_database import ORPHANS

# Heart Rate Measurement: energy expended and RR intervals are there, the rate has 8 bits.
FLAGS, RATE = 0x18, 60


def numbered(number: int) -> bytes:
    """Returns a notification with one beat and its number as energy; the beat has about 1024 ticks."""
    return struct.pack("<BBHH", FLAGS, RATE, number, 1024 + number * 37 % 41 - 20)


def number_of(value: bytes | None) -> int | None:
    """Returns the number of such a notification."""
    if value is None or len(value) != len(numbered(0)) or value[0] != FLAGS:
        return None
    number = int.from_bytes(value[2:4], "little")
    return number if value == numbered(number) else None


def intervals(value: bytes | None) -> list[int]:
    """Returns the RR intervals of a notification, in 1/1024 s."""
    if not value or not value[0] & 0x10:
        return []
    start = 2 + (value[0] & 1) + (2 if value[0] & 8 else 0)
    return [int.from_bytes(value[at:at + 2], "little") for at in range(start, len(value) - 1, 2)]


@dataclass
class Stored:
    """The contents of a database, and its problems."""

    # The numbers by the address of the strap, in the order of the ledger.
    numbers: dict[str, list[int]] = field(default_factory=dict)
    entries: int = 0
    owed: int = 0
    # Sessions whose beats in the table are fewer than those of their ledger: export derives the rest.
    behind: int = 0
    problems: list[str] = field(default_factory=list)


def look_at(binary: str, database: Path) -> Stored:
    """Examines a database that no process has open."""
    stored = Stored()
    try:
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            _check_soundness(connection, stored)
            sessions = _read_sessions(connection, stored)
    except sqlite3.DatabaseError as error:
        stored.problems.append(f"the database does not open: {error}")
        return stored
    for session, expected in sessions.items():
        if (found := _exported(binary, database, session)) != expected:
            stored.problems.append(
                f"export gives {len(found)} beats of {session}, and the ledger has {len(expected)}")
    return stored


def _check_soundness(connection: sqlite3.Connection, stored: Stored) -> None:
    verdict = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    if verdict != ["ok"]:
        stored.problems.append(f"integrity_check says {verdict[:3]}")
    if broken := connection.execute("PRAGMA foreign_key_check").fetchall():
        stored.problems.append(f"{len(broken)} rows refer to nothing")
    for title, query in ORPHANS.items():
        if count := connection.execute(query).fetchone()[0]:
            stored.problems.append(f"{count} {title}")


def _read_sessions(connection: sqlite3.Connection, stored: Stored) -> dict[str, list[int]]:
    """Reads the numbers. Returns the intervals of each session's ledger, by its identifier."""
    owed = {row[0] for row in connection.execute("SELECT session FROM owed")}
    stored.owed = len(owed)
    query = """
        SELECT session.key, session.id, address, is_complete FROM session JOIN strap ON strap.id = session.strap
        ORDER BY start_us, key"""
    expected = {}
    for key, name, address, is_complete in connection.execute(query).fetchall():
        query = "SELECT sequence, value FROM ledger WHERE session = ? ORDER BY sequence"
        ledger = connection.execute(query, (key,)).fetchall()
        if [row[0] for row in ledger] != list(range(len(ledger))):
            stored.problems.append(f"the ledger of {name} has a hole")
        stored.entries += len(ledger)
        stored.numbers.setdefault(address, []).extend(
            number for _, value in ledger if (number := number_of(value)) is not None)
        ticks = [one for _, value in ledger for one in intervals(value)]
        query = "SELECT ticks FROM beat WHERE session = ? ORDER BY sequence"
        beats = [row[0] for row in connection.execute(query, (key,))]
        if beats != ticks[:len(beats)]:
            stored.problems.append(f"the beats of {name} are no prefix of those of its ledger")
        if len(beats) < len(ticks):
            stored.behind += 1
            if key not in owed or is_complete:
                stored.problems.append(f"{name} lacks {len(ticks) - len(beats)} beats and is not said to be owed any")
        expected[name] = ticks
    return expected


def _exported(binary: str, database: Path, session: str) -> list[int]:
    command = [binary, "export", session, "--format", "csv", "--database", str(database)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        return []
    return [int(row["rr1024"]) for row in csv.DictReader(io.StringIO(done.stdout)) if row["event"] == "beat"]
