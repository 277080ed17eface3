import GRDB
import TachogramCore

/// The movement of one session, inside a transaction.
struct MovementTable {
  let db: Database
  let key: Int64

  /// Stores epochs, in place of those with the same start.
  func store(_ epochs: [MovementEpoch]) throws {
    guard !epochs.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO movement (session, time_us, intensity, coverage) VALUES (?, ?, ?, ?)")
    for epoch in epochs {
      try statement.execute(arguments: [key, epoch.time.microseconds, epoch.intensity, epoch.coverage])
    }
  }
}
