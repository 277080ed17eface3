import GRDB

/// A table whose rows are numbered within their session, from 0 and without holes: the highest number gives how many
/// there are, without counting them.
enum SequencedTable: String {
  case ledger, beat, gap

  /// The number that the next row of a session gets, which is how many rows it has.
  func nextSequence(_ db: Database, session key: Int64) throws -> Int64 {
    let last = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT max(sequence) FROM \(rawValue) WHERE session = ?"), arguments: [key],
    )
    return (last ?? -1) + 1
  }
}
