import GRDB

/// Inserts rows of one table, several with one run of a statement: SQLite then keeps its place in the table from one row to
/// the next, which halves the time of a long import. It must not outlive the database access that made it.
struct BulkInsertion {
  /// Rows of a statement; more gain nothing.
  private static let rows = 16

  private let one: RawStatement
  private let several: RawStatement
  private let columnCount: Int32

  /// `insertion`: the statement up to its columns, in parentheses, of which there are `columnCount`.
  init(_ db: Database, _ insertion: String, columnCount: Int) throws {
    let row = "(\(Array(repeating: "?", count: columnCount).joined(separator: ", ")))"
    let beginning = "\(insertion) VALUES "
    one = try RawStatement(db, sql: beginning + row)
    several = try RawStatement(
      db, sql: beginning + Array(repeating: row, count: Self.rows).joined(separator: ", "))
    self.columnCount = Int32(columnCount)
  }

  /// Inserts rows. `bind` binds all columns of one, at this index and those behind it.
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
