import GRDB

/// A table whose rows are numbered within their session, from 0 and without holes, so that the highest number is
/// their count less 1.
enum SequencedTable: String {
  case ledger, beat, gap
  case sensorEntry = "sensor_entry"

  /// Returns the number for the next row of a session, which is the count of its rows.
  func nextSequence(_ db: Database, session key: Int64) throws -> Int64 {
    let last = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT max(sequence) FROM \(rawValue) WHERE session = ?"), arguments: [key],
    )
    return (last ?? -1) + 1
  }
}
