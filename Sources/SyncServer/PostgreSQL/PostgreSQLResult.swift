import CPostgreSQL

/// The result of a statement.
struct PostgreSQLResult: ~Copyable {
  private let pg: tachogram_pg
  private let handle: OpaquePointer

  /// Owns a result. Throws if it is an error.
  init(_ pg: tachogram_pg, _ handle: OpaquePointer?) throws(PostgreSQLError) {
    guard let handle else { throw PostgreSQLError(state: "") }
    let status = pg.resultStatus(handle)
    guard [TACHOGRAM_PG_COMMAND_OK, TACHOGRAM_PG_TUPLES_OK].contains(Int(status)) else {
      let state = pg.resultErrorField(handle, Int32(TACHOGRAM_PG_SQLSTATE)).map { String(cString: $0) }
      pg.clear(handle)
      throw PostgreSQLError(state: state ?? "")
    }
    (self.pg, self.handle) = (pg, handle)
  }

  deinit {
    pg.clear(handle)
  }

  var rowCount: Int { Int(pg.ntuples(handle)) }
  var columnCount: Int { Int(pg.nfields(handle)) }
  /// The number of rows that a statement changed.
  var changedCount: Int { pg.cmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

  func type(_ column: Int) -> Oid { pg.ftype(handle, Int32(column)) }

  /// Returns the bytes of a value, or `nil` for NULL.
  func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
    let (row, column) = (Int32(row), Int32(column))
    guard pg.getisnull(handle, row, column) == 0, let start = pg.getvalue(handle, row, column) else { return nil }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(pg.getlength(handle, row, column))))
  }
}
