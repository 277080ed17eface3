import GRDB
import TachogramCore

/// Deletes stress levels, and keeps what hours and days amount to in step with that, inside one database access. The windows are not needed for it, which a policy may have deleted.
struct StressRollup {
  private struct Place: Hashable {
    /// 0 is no person.
    let person: Int64
    /// Since 1970.
    let hour: Int64
  }

  let db: Database
  /// The hours that have lost levels.
  private var places: Set<Place> = []

  init(db: Database) {
    self.db = db
  }

  /// Deletes stress measurements, and notes of which hours they were.
  ///
  /// - Returns: How many.
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
      // A tombstone is no level.
      if try reader.bool(2) { continue }
      places.insert(Place(person: try reader.integer(0), hour: try reader.integer(1)))
    }
    return count
  }

  /// Behind all deletions: takes the levels anew of the hours and days that have lost some. A day is taken for 24 hours here.
  func update() throws {
    for place in places {
      let start = place.hour * RollupTable.hour
      // A file may have said any time.
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
