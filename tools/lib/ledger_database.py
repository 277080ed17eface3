"""Reading tachogram's database from outside, for the kill test. The schema is Sources/Repository/SchemaV1.swift."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Rows = list[tuple[Any, ...]]

LEDGER = """
    SELECT session, sequence, link, kind, monotonic_us, wall_us, reason, value FROM ledger ORDER BY session, sequence"""

# What a repetition may change: when a record was written, and numbers that stand for nothing but the row.
IGNORED_COLUMNS = {
    "stress_measurement": {"key", "modified_us"},
    "baseline": {"key", "updated_us"},
}
DERIVED_TABLES = ("beat", "gap", "hrv_window")

# Rows that speak of a ledger entry, or of a time, that the ledger does not have. Beats are timed by a fit through late
# and early arrivals: a time may be some seconds off that of the entry.
ORPHANS = {
    "beats of missing entries": """
        SELECT count(*) FROM beat AS b LEFT JOIN ledger AS l ON l.session = b.session AND l.sequence = b.ledger_sequence
        WHERE l.sequence IS NULL""",
    "gaps of missing entries": """
        SELECT count(*) FROM gap AS g LEFT JOIN ledger AS l ON l.session = g.session AND l.sequence = g.ledger_sequence
        WHERE l.sequence IS NULL""",
    "artifacts of missing beats": """
        SELECT count(*) FROM artifact AS a LEFT JOIN beat AS b ON b.session = a.session AND b.sequence = a.beat
        WHERE b.sequence IS NULL""",
    "HRV windows that end after the last entry": """
        SELECT count(*) FROM hrv_window AS w
        WHERE w.end_us > coalesce((SELECT max(monotonic_us) + 5e6 FROM ledger WHERE session = w.session), -1)""",
    "stress measurements after the last entry": """
        SELECT count(*) FROM stress_measurement AS s
        WHERE s.timestamp_us > coalesce((SELECT max(wall_us) + 5e6 FROM ledger WHERE session = s.session), -1)""",
    "sessions that are complete without an entry": """
        SELECT count(*) FROM session WHERE is_complete AND key NOT IN (SELECT session FROM ledger)""",
}


@dataclass(frozen=True)
class Reference:
    """The contents of a complete run."""

    ledger: Rows
    tables: dict[str, Rows]
    derived: dict[str, set[tuple[Any, ...]]]

    @classmethod
    def read(cls, database: Path) -> Reference:
        """Reads a complete database, which must not be empty."""
        tables = dump_tables(database)
        with closing(_open(database)) as connection:
            ledger = connection.execute(LEDGER).fetchall()
        for table in ("session", "ledger", "beat"):
            if not tables.get(table):
                raise SystemExit(f"kills: the complete run left no row in {table}")
        return cls(ledger, tables, {table: set(tables[table]) for table in DERIVED_TABLES})


def copy_database(database: Path, folder: Path) -> Path:
    """Copies the database with its write-ahead log, so that reading changes nothing."""
    for suffix in ("", "-wal", "-journal"):
        file = database.with_name(database.name + suffix)
        if file.exists():
            shutil.copy2(file, folder / file.name)
    return folder / database.name


def dump_tables(database: Path) -> dict[str, Rows]:
    """Returns all rows of all tables, sorted, without the columns that may differ."""
    with closing(_open(database)) as connection:
        return {table: _dump(connection, table) for table in _tables(connection)}


def examine(database: Path, reference: Reference) -> tuple[int, list[str]]:
    """Returns the number of ledger entries of a killed database, and its problems."""
    if not database.exists():
        return 0, []
    try:
        with closing(_open(database)) as connection:
            return _examine(connection, reference)
    except sqlite3.DatabaseError as error:
        return 0, [f"the database does not open: {error}"]


def _examine(connection: sqlite3.Connection, reference: Reference) -> tuple[int, list[str]]:
    problems = []
    verdict = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    if verdict != ["ok"]:
        problems.append(f"integrity_check says {verdict[:3]}")
    broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    if broken:
        problems.append(f"{len(broken)} rows refer to nothing")
    if "ledger" not in _tables(connection):
        return 0, problems
    ledger = connection.execute(LEDGER).fetchall()
    # Each version of the schema is a transaction of its own, and a kill may fall between two.
    if set(reference.tables) - set(_tables(connection)):
        if ledger:
            problems.append("there are entries, and tables are missing")
        return len(ledger), problems
    if [row[1] for row in ledger] != list(range(len(ledger))):
        problems.append("the ledger has a hole")
    if ledger != reference.ledger[: len(ledger)]:
        problems.append("the ledger is no prefix of that of a complete run")
    for title, query in ORPHANS.items():
        count = connection.execute(query).fetchone()[0]
        if count:
            problems.append(f"{count} {title}")
    for table in DERIVED_TABLES:
        strangers = set(_dump(connection, table)) - reference.derived[table]
        if strangers:
            problems.append(f"{len(strangers)} rows of {table} are not among those of a complete run")
    complete = connection.execute("SELECT count(*) FROM session WHERE is_complete").fetchone()[0]
    if complete and len(ledger) < len(reference.ledger):
        problems.append("a part of a session is marked as complete")
    return len(ledger), problems


def _open(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(database, isolation_level=None)


def _tables(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    return [row[0] for row in connection.execute(query)]


def _dump(connection: sqlite3.Connection, table: str) -> Rows:
    ignored = IGNORED_COLUMNS.get(table, set())
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] not in ignored]
    rows = connection.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
    return sorted(rows, key=repr)
