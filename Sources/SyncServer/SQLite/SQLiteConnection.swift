import FoundationEssentials
import GRDB

/// A connection to SQLite. Statements are prepared once.
struct SQLiteConnection: SyncSQLProtocol {
  private let db: Database

  init(_ db: Database) {
    self.db = db
  }

  var lock: String { "" }

  func rows(_ sql: String, _ values: [SyncSQLValue]) throws -> [[SyncSQLValue]] {
    let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: Self.arguments(values))
    var rows: [[SyncSQLValue]] = []
    while let row = try cursor.next() { rows.append(row.databaseValues.map(Self.value)) }
    return rows
  }

  func run(_ sql: String, _ values: [SyncSQLValue]) throws -> Int {
    try db.cachedStatement(sql: sql).execute(arguments: Self.arguments(values))
    return db.changesCount
  }

  private static func arguments(_ values: [SyncSQLValue]) -> StatementArguments {
    StatementArguments(
      values.map { value -> (any DatabaseValueConvertible)? in
        switch value {
        case .null: nil
        case .integer(let integer): integer
        case .text(let text): text
        case .bytes(let bytes): Data(bytes)
        }
      })
  }

  private static func value(_ value: DatabaseValue) -> SyncSQLValue {
    switch value.storage {
    case .null: .null
    case .int64(let integer): .integer(integer)
    // No column has numbers that are not integers.
    case .double(let number): .integer(Int64(exactly: number.rounded()) ?? 0)
    case .string(let text): .text(text)
    case .blob(let data): .bytes(Array(data))
    }
  }
}
