import GRDB

/// Inserts rows into one table, several rows per statement: SQLite then keeps its position in the table from one row to the
/// next, which halves the time of a long import. An instance must not outlive the database access that created it.
struct BulkInsertion {
  /// The number of rows per statement. More rows do not make it faster.
  private static let rows = 16

  private let one: RawStatement
  private let several: RawStatement
  private let columnCount: Int32

  /// `insertion` is the statement up to and including the list of its `columnCount` columns in parentheses.
  init(_ db: Database, _ insertion: String, columnCount: Int) throws {
    let row = "(\(Array(repeating: "?", count: columnCount).joined(separator: ", ")))"
    let beginning = "\(insertion) VALUES "
    one = try RawStatement(db, sql: beginning + row)
    several = try RawStatement(
      db, sql: beginning + Array(repeating: row, count: Self.rows).joined(separator: ", "))
    self.columnCount = Int32(columnCount)
  }

  /// Inserts rows. `bind` binds all columns of a row, beginning at the parameter index that it is passed.
  func insert<Row>(_ rows: some RandomAccessCollection<Row>, _ bind: (RawStatement, Int32, Row) throws -> Void) throws {
    var rest = rows[...]
    while rest.count >= Self.rows {
      var index: Int32 = 1
      for row in rest.prefix(Self.rows) {
        try bind(several, index, row)
        index += columnCount
      }
      try several.run()
      rest = rest.dropFirst(Self.rows)
    }
    for row in rest {
      try bind(one, 1, row)
      try one.run()
    }
  }
}
