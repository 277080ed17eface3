"""The rows that all stations of a space must have, and the comparison of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from space_stations import Station

# Of each table the columns that do not depend on the keys of rows. Sessions have these columns of their own; rows of the other
# tables begin with the identifier of their session. Persons are compared where rows refer to them: `delete SESSION` keeps the
# name of a person on the station where it was entered. Trends are derived when they are asked for, and are not compared.
SESSION = "session LEFT JOIN strap ON strap.id = session.strap LEFT JOIN person ON person.id = session.person"
TABLES = {
    "session": f"SELECT session.id, address, strap.kind, person.name, origin, start_us, start_monotonic_us, is_complete, "
               f"label, note, made_from, device_id FROM {SESSION}",
    "known_strap": "SELECT address, strap.kind, known_strap.name, person.name FROM known_strap "
                   "JOIN strap ON strap.id = known_strap.strap LEFT JOIN person ON person.id = known_strap.person",
    "stress_measurement": "SELECT (SELECT id FROM session WHERE key = session), stress_measurement.id, timestamp_us, level, "
                          "category, confidence, hrv, kind, heart_rate, resting_heart_rate, person.name, device_id "
                          "FROM stress_measurement LEFT JOIN person ON person.id = person WHERE is_deleted = 0",
    "reading": "SELECT (SELECT id FROM session WHERE key = session), reading.id, kind, start_us, duration_us, coverage, "
               "artifact_share, count, mean_heart_rate, sdnn, rmssd, person.name "
               "FROM reading LEFT JOIN person ON person.id = person",
}
COLUMNS = {
    "session_characteristic": "uuid, hex(value)",
    "link": "number, boot_id, handle, handle_source",
    "ledger": "sequence, link, kind, monotonic_us, wall_us, reason, hex(value)",
    "beat": "sequence, time_us, ticks, ledger_sequence, marks",
    "gap": "sequence, start_us, end_us, reason, ledger_sequence",
    "artifact": "beat, class, replacements, milliseconds",
    "hrv_window": "length, end_us, coverage, artifact_share, count, pair_count, duration, mean_nn, mean_heart_rate, sdnn, "
                  "rmssd, ln_rmssd, sdsd, pnn50, pnn20, sd1, sd2",
    "marker": "id, time_us, text",
    "movement": "time_us, intensity, coverage",
    "sound": "time_us, level, peak",
    "sleep_session": "origin, lights_off_us, lights_on_us, estimator, lowest_heart_rate, mean_heart_rate, rmssd",
    "sleep_stage": "start_us, end_us, stage",
}
TABLES |= {table: f"SELECT (SELECT id FROM session WHERE key = session), {columns} FROM {table}"
           for table, columns in COLUMNS.items()}
# Rows that are printed of each table and station.
SHOWN = 3
RECEIVED = (
    "SELECT address, wall_us, hex(value) FROM ledger JOIN session ON session.key = ledger.session "
    "JOIN strap ON strap.id = session.strap WHERE value IS NOT NULL")

Report = Callable[[str, str], None]


def compare(one: Station, other: Station, report: Report) -> None:
    """Reports the tables of which two stations have different rows."""
    for table, sql in TABLES.items():
        first, second = Counter(one.query(sql)), Counter(other.query(sql))
        if first == second:
            continue
        lines = []
        for station, rows in [(one, first - second), (other, second - first)]:
            shown = sorted(rows.elements(), key=repr)
            lines.append(f"{len(shown)} rows only on {station.name}")
            lines += [f"    {str(row)[:300]}" for row in shown[:SHOWN]]
        report(table, "\n  ".join([f"{one.name} and {other.name} have different rows", *lines]))


def compare_received(station: Station, reference: Station) -> dict[str, tuple[int, str]]:
    """Returns how many notifications were imported and are not there (lost), and how many are there more often (duplicate),
    with some of them."""
    have, want = Counter(station.query(RECEIVED)), Counter(reference.query(RECEIVED))
    found = {}
    for kind, rows in [("lost", want - have), ("duplicate", have - want)]:
        if rows:
            sample = [f"    {row}" for row in sorted(rows.elements())[:SHOWN]]
            text = f"{rows.total()} of {want.total()} notifications on {station.name}"
            found[kind] = (rows.total(), "\n  ".join([text, *sample]))
    return found
