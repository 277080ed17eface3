"""What the program under test has stored, read from its database by nobody of its own."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ledger_database import ORPHANS


@dataclass(frozen=True)
class LedgerNotification:
    """A stored notification; `time` in seconds of the guest's monotonic clock."""

    session: str
    sequence: int
    link: int
    time: float
    value: str


@dataclass(frozen=True)
class LedgerGap:
    """A stored gap, with its start and end on the clock of notifications."""

    reason: str
    start: float
    end: float


@dataclass(frozen=True)
class LedgerSession:
    """A stored session."""

    id: str
    strap: str
    is_complete: bool


class Ledger:
    """A database of the program, read-only, during or after the recording."""

    def __init__(self, database: Path) -> None:
        self._database = database

    def straps(self) -> list[str]:
        """Returns the addresses of all known straps."""
        return [str(row[0]) for row in self._rows("SELECT address FROM strap ORDER BY id")]

    def sessions(self) -> list[LedgerSession]:
        """Returns all sessions, the oldest first."""
        rows = self._rows(
            "SELECT s.id, t.address, s.is_complete FROM session s JOIN strap t ON t.id = s.strap ORDER BY s.key"
        )
        return [LedgerSession(id_, strap, bool(complete)) for id_, strap, complete in rows]

    def notifications(self, strap: str | None = None) -> list[LedgerNotification]:
        """Returns all notifications, or those of the strap with this address, in the order of sessions and sequence."""
        rows = self._rows(
            "SELECT s.id, l.sequence, l.link, l.monotonic_us, l.value "
            "FROM ledger l JOIN session s ON s.key = l.session JOIN strap t ON t.id = s.strap "
            "WHERE l.kind = 0 AND (?1 IS NULL OR t.address = ?1) "
            "ORDER BY l.session, l.sequence",
            strap,
        )
        return [LedgerNotification(id_, n, link, us / 1e6, bytes(value).hex()) for id_, n, link, us, value in rows]

    def frames(self) -> list[LedgerNotification]:
        """Returns what straps measured beside their heart rate, in the order of sessions and sequence."""
        rows = self._rows(
            "SELECT s.id, e.sequence, e.link, e.monotonic_us, e.value "
            "FROM sensor_entry e JOIN session s ON s.key = e.session WHERE e.kind = 0 ORDER BY e.session, e.sequence")
        return [LedgerNotification(id_, n, link, us / 1e6, bytes(value).hex()) for id_, n, link, us, value in rows]

    def link_ends(self, strap: str | None = None) -> list[int]:
        """Returns the reasons of disconnections, in order."""
        rows = self._rows(
            "SELECT l.reason FROM ledger l JOIN session s ON s.key = l.session JOIN strap t ON t.id = s.strap "
            "WHERE l.kind = 1 AND (?1 IS NULL OR t.address = ?1) ORDER BY l.session, l.sequence",
            strap,
        )
        return [row[0] for row in rows]

    def gaps(self) -> list[LedgerGap]:
        """Returns all gaps, in order."""
        rows = self._rows("SELECT reason, start_us, end_us FROM gap ORDER BY session, sequence")
        return [LedgerGap(reason, start / 1e6, end / 1e6) for reason, start, end in rows]

    def last_windows(self) -> list[tuple[object, ...]]:
        """Returns all metrics of the last window of each length, without those that depend on its end time."""
        rows = self._rows("SELECT * FROM hrv_window ORDER BY session, length, end_us")
        return [(length, *metrics) for length, metrics in {row[1]: row[4:] for row in rows}.items()]

    def last_coverages(self) -> list[float]:
        """Returns the coverage of the last window of each length, in the order of `last_windows`."""
        rows = self._rows("SELECT length, coverage FROM hrv_window ORDER BY session, length, end_us")
        return [float(coverage) for coverage in dict(rows).values()]  # type: ignore[arg-type]

    def stress_levels(self) -> list[tuple[object, ...]]:
        """Returns every stress level with its inputs."""
        return self._rows(
            "SELECT level, category, confidence, hrv, kind, heart_rate, resting_heart_rate FROM stress_measurement "
            "ORDER BY session, timestamp_us"
        )

    def count(self) -> int:
        """Returns the number of notifications; 0 without a database."""
        try:
            return int(self._rows("SELECT count(*) FROM ledger WHERE kind = 0")[0][0])
        except sqlite3.OperationalError:
            return 0

    def beats(self) -> list[tuple[object, ...]]:
        """Returns interval, marks and notification of each beat."""
        return self._rows("SELECT ticks, marks, ledger_sequence FROM beat ORDER BY session, sequence")

    def integrity(self) -> str:
        """Returns SQLite's findings about the file."""
        return str(self._rows("PRAGMA integrity_check")[0][0])

    def orphans(self) -> list[str]:
        """Returns the rows derived from missing entries, a line for each kind."""
        counts = {title: self._rows(query)[0][0] for title, query in ORPHANS.items()}
        return [f"{count} {title}" for title, count in counts.items() if count]

    def _rows(self, statement: str, *arguments: object) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(f"file:{self._database}?mode=ro", uri=True, timeout=10)) as connection:
            return connection.execute(statement, arguments).fetchall()
