import GRDB
import TachogramCore

/// The table of markers.
struct MarkerTable {
  let db: Database

  /// Returns the markers of a session, in the order of their times.
  func markers(of session: Int64) throws -> [SessionMarker] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: "SELECT id, time_us, text FROM marker WHERE session = ? ORDER BY time_us, key"),
      arguments: [session])
    var markers: [SessionMarker] = []
    while let row = try rows.next() {
      let row = RowReader(row: row)
      markers.append(
        SessionMarker(id: try row.text(0), time: MonotonicTime(microseconds: try row.integer(1)), text: try row.text(2))
      )
    }
    return markers
  }

  /// Stores a marker, or replaces the time and text of the one with its identifier.
  func store(_ marker: SessionMarker, session: Int64) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO marker (id, session, time_us, text) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET time_us = excluded.time_us, text = excluded.text
        WHERE session = excluded.session
        """
    ).execute(arguments: [marker.id, session, marker.time.microseconds, marker.text])
  }

  /// Deletes a marker. Returns whether it existed.
  func delete(_ id: String, of session: Int64) throws -> Bool {
    try db.execute(sql: "DELETE FROM marker WHERE id = ? AND session = ?", arguments: [id, session])
    return db.changesCount > 0
  }

  /// Moves the markers from an instant to another session, whose axis is ahead by `shift`.
  func move(from session: Int64, since time: MonotonicTime, to other: Int64, shift: Duration) throws {
    try db.execute(
      sql: "UPDATE marker SET session = ?, time_us = time_us + ? WHERE session = ? AND time_us >= ?",
      arguments: [other, shift.wholeMicroseconds, session, time.microseconds])
  }
}
