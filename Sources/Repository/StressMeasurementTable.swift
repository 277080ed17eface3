import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// The stress measurements of all persons, sessions and metrics.
struct StressMeasurementTable {
  let db: Database

  /// The insertion; a clause that selects which measurement with the same identifier is replaced is appended to it.
  private static let insertion = """
    INSERT INTO stress_measurement (id, timestamp_us, level, category, confidence, hrv, kind, heart_rate,
      resting_heart_rate, person, session, device_id, is_synced, modified_us, is_deleted)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      timestamp_us = excluded.timestamp_us, level = excluded.level, category = excluded.category,
      confidence = excluded.confidence, hrv = excluded.hrv, kind = excluded.kind, heart_rate = excluded.heart_rate,
      resting_heart_rate = excluded.resting_heart_rate, person = excluded.person, session = excluded.session,
      device_id = excluded.device_id, is_synced = excluded.is_synced, modified_us = excluded.modified_us,
      is_deleted = excluded.is_deleted
    """
  private static let storing = "\(insertion) WHERE person IS excluded.person AND kind = excluded.kind"
  private static let adding = "\(insertion) WHERE FALSE"
  private static let deriving = """
    \(insertion) WHERE is_deleted = 0
      AND (session IS excluded.session OR session IS NULL AND person IS excluded.person)
    """

  // MARK: - Writing

  /// Stores a measurement, or replaces the one with its identifier. Throws `measurementConflict` if that one belongs to another
  /// person or is of another metric.
  func store(_ measurement: StressMeasurement) throws {
    let session = try measurement.sessionID.map { id in try SessionTable(db: db).key(of: id) }
    try insert(measurement, session: session, by: Self.storing)
    guard db.changesCount == 1 else { throw RepositoryError.measurementConflict(id: measurement.id) }
  }

  /// Stores a measurement without a session, unless its identifier exists, even as that of a deleted measurement.
  func add(_ measurement: StressMeasurement) throws {
    try insert(measurement, session: nil, by: Self.adding)
  }

  /// Stores a measurement that was derived in a session, and replaces the one of the same session with its identifier. A
  /// deleted measurement stays deleted, and one of another session, or without a session and of another person, is kept.
  func storeDerived(_ measurement: StressMeasurement, session key: Int64) throws {
    try insert(measurement, session: key, by: Self.deriving)
  }

  private func insert(_ measurement: StressMeasurement, session: Int64?, by sql: String) throws {
    try db.cachedStatement(sql: sql).execute(arguments: [
      measurement.id.uuidString.lowercased(),
      try StoredDate.microseconds(measurement.timestamp, field: "timestamp"),
      measurement.stressLevel, measurement.category.rawValue, measurement.confidence, measurement.hrv,
      measurement.kind.rawValue, measurement.heartRate, measurement.restingHeartRate,
      try PersonTable(db: db).storedKey(of: measurement.person), session, measurement.deviceID, measurement.isSynced,
      try StoredDate.microseconds(measurement.modified, field: "modification date"), measurement.isDeleted,
    ])
  }

  /// Converts measurements of one owner and metric to tombstones: the one with the identifier, or all.
  func delete(id: UUID?, person: Int64?, kind: HRVKind, modified: Date) throws {
    try db.execute(
      sql: """
        UPDATE stress_measurement SET is_deleted = 1, is_synced = 0, modified_us = ?
        WHERE is_deleted = 0 AND person IS ? AND kind = ? AND (? IS NULL OR id = ?)
        """,
      arguments: [
        try StoredDate.microseconds(modified, field: "modification date"), person, kind.rawValue,
        id?.uuidString.lowercased(), id?.uuidString.lowercased(),
      ],
    )
  }

  /// The largest distance between stress levels of one recording, in microseconds: half of the minute between two levels.
  private static let levelTolerance: Int64 = 30_000_000

  /// Deletes the levels of a session at the times of levels that a person deleted in a session of the same recording. The times
  /// of levels follow from the start of their session.
  func delete(of session: Int64, deletedIn other: Int64) throws {
    try db.execute(
      sql: """
        UPDATE stress_measurement AS level SET is_deleted = 1, is_synced = 0
        WHERE level.session = ? AND level.is_deleted = 0 AND EXISTS (
          SELECT 1 FROM stress_measurement AS other
          WHERE other.session = ? AND other.is_deleted = 1 AND other.kind = level.kind
            AND other.timestamp_us BETWEEN level.timestamp_us - ? AND level.timestamp_us + ?)
        """, arguments: [session, other, Self.levelTolerance, Self.levelTolerance])
  }

  /// Deletes the levels of a session, but for some, and for those that a person deleted.
  func delete(of session: Int64, except kept: [UUID]) throws {
    let kept = Set(kept.map { $0.uuidString.lowercased() })
    let stored = try String.fetchAll(
      db, sql: "SELECT id FROM stress_measurement WHERE session = ? AND is_deleted = 0", arguments: [session])
    for id in stored where !kept.contains(id) {
      try db.execute(sql: "DELETE FROM stress_measurement WHERE id = ?", arguments: [id])
    }
  }

  // MARK: - Reading

  /// Returns the measurements of a session without tombstones, the oldest first.
  func measurements(session key: Int64) throws -> [StressMeasurement] {
    try measurements(
      "measurement.session = ? ORDER BY measurement.timestamp_us, measurement.key", arguments: [key],
    )
  }

  /// Returns the measurement with a key, or `nil` if it is a tombstone.
  func measurement(key: Int64) throws -> StressMeasurement? {
    try measurements("measurement.key = ?", arguments: [key]).first
  }

  /// Returns the measurement with an identifier, or `nil` if it is a tombstone.
  func measurement(id: UUID) throws -> StressMeasurement? {
    try measurements("measurement.id = ?", arguments: [id.uuidString.lowercased()]).first
  }

  /// Returns at most `limit` measurements of one owner and metric within a range of time, including both ends, without
  /// tombstones, the newest first.
  func measurements(
    person: Int64?, kind: HRVKind, microseconds: ClosedRange<Int64>, limit: Int,
  ) throws -> [StressMeasurement] {
    try measurements(
      """
      measurement.person IS ? AND measurement.kind = ? AND measurement.timestamp_us BETWEEN ? AND ?
      ORDER BY measurement.timestamp_us DESC, measurement.key DESC LIMIT ?
      """,
      arguments: [person, kind.rawValue, microseconds.lowerBound, microseconds.upperBound, limit],
    )
  }

  /// Returns the values for baselines: those of the measurements of one owner and metric within a range of time, including both
  /// ends, without tombstones and those of the session with a key, the oldest first.
  func history(
    person: Int64?, kind: HRVKind, microseconds: ClosedRange<Int64>, excluding session: Int64?,
  ) throws -> (hrv: [HRVMeasurement], heartRate: [HeartRateSample]) {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT timestamp_us, hrv, heart_rate FROM stress_measurement
          WHERE is_deleted = 0 AND person IS ? AND kind = ? AND timestamp_us BETWEEN ? AND ?
            AND (? IS NULL OR session IS NOT ?)
          ORDER BY timestamp_us, key
          """),
      arguments: [person, kind.rawValue, microseconds.lowerBound, microseconds.upperBound, session, session])
    var history: (hrv: [HRVMeasurement], heartRate: [HeartRateSample]) = ([], [])
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      let date = try reader.date(0)
      history.hrv.append(HRVMeasurement(value: try reader.real(1), kind: kind, timestamp: date))
      history.heartRate.append(HeartRateSample(value: try reader.real(2), timestamp: date))
    }
    return history
  }

  private func measurements(_ condition: String, arguments: StatementArguments) throws -> [StressMeasurement] {
    let sql = """
      SELECT measurement.id, measurement.timestamp_us, measurement.level, measurement.category, measurement.confidence,
        measurement.hrv, measurement.kind, measurement.heart_rate, measurement.resting_heart_rate, person.name,
        session.id, measurement.device_id, measurement.is_synced, measurement.modified_us
      FROM stress_measurement AS measurement
        LEFT JOIN person ON person.id = measurement.person
        LEFT JOIN session ON session.key = measurement.session
      WHERE measurement.is_deleted = 0 AND \(condition)
      """
    let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
    var measurements: [StressMeasurement] = []
    while let row = try rows.next() { measurements.append(try measurement(RowReader(row: row))) }
    return measurements
  }

  private func measurement(_ row: RowReader) throws -> StressMeasurement {
    StressMeasurement(
      id: try row.uuid(0), timestamp: try row.date(1), stressLevel: try row.real(2), category: try row.choice(3),
      confidence: try row.real(4), hrv: try row.real(5), kind: try row.choice(6), heartRate: try row.real(7),
      restingHeartRate: try row.real(8), person: row.optionalText(9), sessionID: row.optionalText(10),
      deviceID: try row.text(11), isSynced: try row.bool(12), modified: try row.date(13),
    )
  }
}
