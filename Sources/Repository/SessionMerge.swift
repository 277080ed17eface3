import GRDB
import TachogramCore

/// Replaces copies of a session with that session, inside a transaction.
struct SessionMerge {
  let db: Database

  /// Deletes a copy of a stored session with its stress levels, which those of the kept session replace. Levels that a person
  /// deleted in the copy are deleted in the kept session as well. The note and the markers are moved to the kept session.
  func delete(copy id: String, of kept: Int64) throws {
    let table = SessionTable(db: db)
    let copy = try table.key(of: id)
    try StressMeasurementTable(db: db).delete(of: kept, deletedIn: copy)
    let record = try table.record(id)
    try addNote(of: copy, to: kept)
    try db.execute(sql: "UPDATE reading SET session = ? WHERE session = ?", arguments: [kept, copy])
    try MarkerTable(db: db).move(
      from: copy, since: MonotonicTime(microseconds: .min), to: kept,
      shift: .microseconds(try origin(of: copy) - origin(of: kept)))
    try moveMeasurements(from: copy, to: kept, shift: try origin(of: copy) - origin(of: kept))
    let start = record.description.start
    // Marks all of its hours as pending.
    var levels = StressRollup(db: db)
    try CategoryDeletion(db: db, category: .sessions).delete(
      SelectedSession(key: copy, id: id, span: start...max(start, record.end)), with: &levels)
  }

  /// Moves the night of a session, its movement, its sound and what its sensors sent to another one that has none, with times later
  /// by `shift` microseconds.
  private func moveMeasurements(from session: Int64, to other: Int64, shift: Int64) throws {
    let columns = [
      (
        "sleep_session", "origin", ["lights_off_us", "lights_on_us"],
        "estimator, lowest_heart_rate, mean_heart_rate, rmssd"
      ),
      ("sleep_stage", "stage", ["start_us", "end_us"], ""), ("movement", "intensity", ["time_us"], "coverage"),
      ("sound", "level", ["time_us"], "peak"),
      ("sensor_entry", "sequence", ["monotonic_us"], "link, kind, wall_us, value"),
    ]
    for (table, first, times, others) in columns {
      let rest = others.isEmpty ? "" : ", " + others
      let moved = times.map { "\($0) + :shift" }.joined(separator: ", ")
      try db.execute(
        sql: """
          INSERT INTO \(table) (session, \(first), \(times.joined(separator: ", "))\(rest))
          SELECT :other, \(first), \(moved)\(rest) FROM \(table)
          WHERE session = :session AND NOT EXISTS (SELECT 1 FROM \(table) WHERE session = :other)
          """, arguments: ["session": session, "other": other, "shift": shift])
    }
  }

  /// Returns the civil time of the origin of a session's axis, in microseconds.
  private func origin(of session: Int64) throws -> Int64 {
    try Int64.fetchOne(
      db, sql: "SELECT start_us - start_monotonic_us FROM session WHERE key = ?", arguments: [session]) ?? 0
  }

  /// Appends the note of a session to that of another one, unless that one contains it.
  func addNote(of session: Int64, to other: Int64) throws {
    try db.execute(
      sql: """
        UPDATE session SET note = CASE
          WHEN session.note IS NULL OR added.note IS NULL THEN coalesce(session.note, added.note)
          WHEN instr(session.note, added.note) > 0 THEN session.note
          ELSE session.note || char(10) || added.note END
        FROM session AS added WHERE session.key = ? AND added.key = ?
        """, arguments: [other, session])
  }

  /// Changes the label and note of a session, and assigns it, with its stress levels, to a person.
  func assign(_ id: String, _ edit: SessionEdit) throws {
    let key = try SessionTable(db: db).key(of: id)
    if let label = edit.label {
      try db.execute(sql: "UPDATE session SET label = ? WHERE key = ?", arguments: [label, key])
    }
    if let note = edit.note {
      try db.execute(sql: "UPDATE session SET note = ? WHERE key = ?", arguments: [note, key])
    }
    guard let person = edit.person else { return }
    let rollups = RollupTable(db: db)
    let baselines = BaselineTable(db: db)
    try rollups.markPending(session: key)
    try baselines.delete(ofPersonOf: key)
    let previous = try Int64.fetchOne(db, sql: "SELECT person FROM session WHERE key = ?", arguments: [key])
    let owner = try PersonTable(db: db).storedKey(of: person)
    try db.execute(sql: "UPDATE session SET person = ? WHERE key = ?", arguments: [owner, key])
    for table in ["stress_measurement", "reading"] {
      try db.execute(sql: "UPDATE \(table) SET person = ? WHERE session = ?", arguments: [owner, key])
    }
    try rollups.markPending(session: key)
    try baselines.delete(ofPersonOf: key)
    if let previous, previous != owner { try PersonTable(db: db).deleteIfUnused(previous) }
  }
}
