import GRDB
import TachogramCore

/// Compares whether two databases hold the same of what cannot be derived again: sessions with their ledgers, straps, persons,
/// and stress measurements. Hours, days and baselines, which are computed anew every day, are not in it.
package struct ContentMark: Hashable, Sendable {
  private let value: UInt128

  /// A ledger is never rewritten, so that its length stands for it. The tables that are read whole have a row for each session or
  /// person; of the stress measurements, one row a minute, an index is walked.
  private static let queries = [
    """
    SELECT session.*, (SELECT max(sequence) FROM ledger WHERE ledger.session = session.key) FROM session ORDER BY key
    """,
    "SELECT * FROM session_characteristic ORDER BY session, uuid",
    "SELECT * FROM strap ORDER BY id",
    "SELECT * FROM known_strap ORDER BY strap",
    "SELECT * FROM person ORDER BY id",
    "SELECT count(*), max(key), max(modified_us), sum(is_deleted) FROM stress_measurement",
  ]

  init(_ db: Database) throws {
    var hash = ContentHash()
    for query in Self.queries {
      hash.add(Array(query.utf8))
      let rows = try Row.fetchCursor(db, sql: query)
      while let row = try rows.next() {
        for value in row.databaseValues { Self.add(value, to: &hash) }
      }
    }
    value = hash.value
  }

  /// Each value with its kind and its length, so that no two rows look alike.
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
  /// Whether nothing is stored but what can be derived again.
  package func isEmpty() throws(RepositoryError) -> Bool {
    try contentMark() == TachogramDatabase.inMemory().contentMark()
  }

  /// What the database holds of what cannot be derived again.
  package func contentMark() throws(RepositoryError) -> ContentMark {
    try read { db in try ContentMark(db) }
  }
}
