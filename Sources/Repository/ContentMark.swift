import GRDB
import TachogramCore

/// A hash of the data that cannot be derived again: sessions with their ledgers and markers, straps, persons, stress
/// measurements and readings.
/// Databases with equal marks hold the same such data. Hours, days and baselines, which are computed again every day, are not
/// included.
package struct ContentMark: Hashable, Sendable {
  private let value: UInt128

  /// A ledger is never rewritten, so its length identifies its contents. The tables that are read completely have few rows,
  /// such as one for each session or person. The stress measurements, one row a minute, are only aggregated.
  /// Sensor entries arrive with the ledger, and are deleted after some days.
  private static let queries = [
    (
      "session",
      """
      SELECT session.*, (SELECT max(sequence) FROM ledger WHERE ledger.session = session.key) FROM session ORDER BY key
      """
    ),
    ("session_characteristic", "SELECT * FROM session_characteristic ORDER BY session, uuid"),
    ("strap", "SELECT * FROM strap ORDER BY id"),
    ("known_strap", "SELECT * FROM known_strap ORDER BY strap"),
    ("person", "SELECT * FROM person ORDER BY id"),
    ("stress_measurement", "SELECT count(*), max(key), max(modified_us), sum(is_deleted) FROM stress_measurement"),
    ("marker", "SELECT * FROM marker ORDER BY key"),
    ("reading", "SELECT * FROM reading ORDER BY key"),
    ("sleep_session", "SELECT * FROM sleep_session ORDER BY session"),
  ]

  init(_ db: Database) throws {
    var hash = ContentHash()
    // A database of an older version lacks some of them.
    for (table, query) in Self.queries where try db.tableExists(table) {
      hash.add(Array(query.utf8))
      let rows = try Row.fetchCursor(db, sql: query)
      while let row = try rows.next() {
        for value in row.databaseValues { Self.add(value, to: &hash) }
      }
    }
    value = hash.value
  }

  /// Adds a value with its kind and its length, so that different rows never add the same bytes.
  private static func add(_ value: DatabaseValue, to hash: inout ContentHash) {
    let (kind, bytes): (UInt8, [UInt8]) =
      switch value.storage {
      case .null: (0, [])
      case .int64(let number): (1, withUnsafeBytes(of: number.littleEndian, Array.init))
      case .double(let number): (2, withUnsafeBytes(of: number.bitPattern.littleEndian, Array.init))
      case .string(let text): (3, Array(text.utf8))
      case .blob(let data): (4, Array(data))
      }
    hash.add(kind)
    hash.add(Int64(bytes.count))
    hash.add(bytes)
  }
}

extension TachogramDatabase {
  /// Whether the database holds no data other than that which can be derived again.
  package func isEmpty() throws(RepositoryError) -> Bool {
    try contentMark() == TachogramDatabase.inMemory().contentMark()
  }

  /// Returns the mark of the data that cannot be derived again.
  package func contentMark() throws(RepositoryError) -> ContentMark {
    try read { db in try ContentMark(db) }
  }
}
