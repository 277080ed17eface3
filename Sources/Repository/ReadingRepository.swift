import GRDB
import TachogramCore

/// The measurements that persons began. They are kept when their session is deleted by a policy, as trends are, and deleted
/// when a person deletes the session.
package struct ReadingRepository: Sendable {
  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// Stores readings. Stored readings with the same identifiers are kept. A session that is not stored is left out.
  package func add(_ readings: [HRVReading]) throws(RepositoryError) {
    try database.write { db in
      for reading in readings { try Self.insert(reading, db) }
    }
  }

  static func insert(_ reading: HRVReading, _ db: Database) throws {
    let session = try reading.session.flatMap { id in
      try Int64.fetchOne(db, sql: "SELECT key FROM session WHERE id = ?", arguments: [id])
    }
    try db.execute(
      sql: """
        INSERT INTO reading (id, kind, person, session, start_us, duration_us, coverage, artifact_share, count,
          mean_heart_rate, sdnn, rmssd)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
        """,
      arguments: [
        reading.id, reading.kind.rawValue, try PersonTable(db: db).storedKey(of: reading.person), session,
        reading.start.microseconds, reading.duration.wholeMicroseconds, reading.coverage, reading.artifactShare,
        reading.count, reading.meanHeartRate, reading.sdnn, reading.rmssd,
      ])
  }

  /// Returns the last readings of a person, the newest first; `nil` stands for no person, and for readings of any kind.
  package func readings(
    of person: String?, kind: HRVReading.Kind? = nil, since start: WallTime = WallTime(microseconds: .min),
    limit: Int = .max,
  ) throws(RepositoryError) -> [HRVReading] {
    try database.read { db in
      guard case .key(let owner) = try PersonTable(db: db).owner(named: person) else { return [] }
      return try Self.readings(
        "reading.person IS ? AND (? IS NULL OR kind = ?) AND reading.start_us >= ?",
        [owner, kind?.rawValue, kind?.rawValue, start.microseconds], person, limit, db)
    }
  }

  /// Returns the readings in a session, the newest first. Throws `sessionNotFound`.
  package func readings(in session: SessionDescription) throws(RepositoryError) -> [HRVReading] {
    try database.read { db in
      try Self.readings(
        "reading.session = ?", [try SessionTable(db: db).key(of: session.id)], session.person, .max, db)
    }
  }

  /// Returns the reading with an identifier, inside one database access, or `nil` if there is none.
  static func reading(_ id: String, _ db: Database) throws -> HRVReading? {
    let person = try String.fetchOne(
      db, sql: "SELECT name FROM person JOIN reading ON reading.person = person.id WHERE reading.id = ?",
      arguments: [id])
    return try readings("reading.id = ?", [id], person, 1, db).first
  }

  private static func readings(
    _ condition: String, _ arguments: StatementArguments, _ person: String?, _ limit: Int, _ db: Database
  ) throws -> [HRVReading] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT reading.id, kind, session.id, reading.start_us, duration_us, coverage, artifact_share, count,
          mean_heart_rate, sdnn, rmssd
        FROM reading LEFT JOIN session ON session.key = reading.session
        WHERE \(condition)
        ORDER BY reading.start_us DESC, reading.key DESC LIMIT ?
        """, arguments: arguments + [limit])
    var readings: [HRVReading] = []
    while let row = try rows.next() { readings.append(try reading(RowReader(row: row), person)) }
    return readings
  }

  private static func reading(_ row: RowReader, _ person: String?) throws -> HRVReading {
    guard let kind = HRVReading.Kind(rawValue: try row.text(1)) else { throw row.unexpected(1) }
    return HRVReading(
      id: try row.text(0), kind: kind, person: person, session: row.optionalText(2),
      start: WallTime(microseconds: try row.integer(3)), duration: .microseconds(try row.integer(4) as Int64),
      coverage: try row.real(5), artifactShare: try row.real(6), count: try row.integer(7),
      meanHeartRate: row.optionalReal(8), sdnn: row.optionalReal(9), rmssd: row.optionalReal(10))
  }

  /// Deletes a reading. Returns whether it existed.
  package func delete(_ id: String) throws(RepositoryError) -> Bool {
    try database.write { db in
      try db.execute(sql: "DELETE FROM reading WHERE id = ?", arguments: [id])
      return db.changesCount > 0
    }
  }
}
