import GRDB
import TachogramCore

/// Deletes stress levels and updates the trends, inside one database access. It does not need the windows, which a retention
/// policy may have deleted.
struct StressRollup {
  private struct Place: Hashable {
    /// The key of the person; 0 stands for no person.
    let person: Int64
    /// The number of the hour since 1970.
    let hour: Int64
  }

  let db: Database
  /// The hours with deleted levels.
  private var places: Set<Place> = []

  init(db: Database) {
    self.db = db
  }

  /// Deletes stress measurements, and records their hours. Returns the number of deleted measurements.
  mutating func delete(where condition: String, arguments: StatementArguments) throws -> Int {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          DELETE FROM stress_measurement WHERE \(condition)
          RETURNING coalesce(person, 0), timestamp_us / \(RollupTable.hour), is_deleted
          """), arguments: arguments)
    var count = 0
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      count += 1
      // Tombstones are not levels.
      if try reader.bool(2) { continue }
      places.insert(Place(person: try reader.integer(0), hour: try reader.integer(1)))
    }
    return count
  }

  /// Recomputes the levels of the hours and days with deletions. Must be called after the last deletion. A day is taken as 24
  /// hours here.
  func update() throws {
    for place in places {
      let start = place.hour * RollupTable.hour
      // A file may contain any time.
      let (end, isLate) = start.addingReportingOverflow(RollupTable.hour)
      let (dayBefore, isEarly) = start.subtractingReportingOverflow(24 * RollupTable.hour)
      try db.cachedStatement(
        sql: """
          UPDATE rollup SET (stress, highest_stress) = (
            SELECT avg(level), max(level) FROM stress_measurement AS measurement
            WHERE measurement.person IS nullif(rollup.person, 0) AND kind IN ('sdnn', 'rmssd') AND is_deleted = 0
              AND timestamp_us >= rollup.start_us
              AND timestamp_us < rollup.start_us + iif(unit = 'hour', 1, 24) * \(RollupTable.hour))
          WHERE person = ? AND (unit = 'hour' AND start_us = ? OR unit = 'day' AND start_us >= ? AND start_us < ?)
          """
      ).execute(arguments: [place.person, start, isEarly ? .min : dayBefore, isLate ? .max : end])
    }
  }
}
