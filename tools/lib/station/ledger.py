"""What a station stored, as far as the trials look at it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

COMPANIONS = ("", "-wal")


def rows(database: Path) -> dict[tuple[str, int], bytes]:
    """Returns every notification by session and number, from a copy of the current files."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        if found != [("ok",)]:
            raise SystemExit(f"station: the database is damaged: {found[:3]}")
        query = (
            "SELECT session.id, sequence, kind, monotonic_us, wall_us, reason, value FROM ledger "
            "JOIN session ON session.key = ledger.session")
        return {(row[0], row[1]): repr(row[2:]).encode() for row in connection.execute(query)}
    finally:
        connection.close()


def sessions(database: Path) -> list[tuple[str, int]]:
    """Returns the sessions, and whether they ended in order."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT id, is_complete FROM session ORDER BY start_us").fetchall()
    finally:
        connection.close()
