import GRDB
import TachogramCore

/// Keeps what hours and days amount to in step with the stress levels when some of these are deleted, inside one database
/// access. The windows are not needed for it, which a policy may have deleted.
struct StressRollup {
  private struct Place: Hashable {
    /// 0 is nobody in particular.
    let person: Int64
    /// Since 1970.
    let hour: Int64
  }

  let db: Database
  /// How many levels hours held.
  private let counts: [Place: Int64]

  /// Before the deletion.
  init(db: Database) throws {
    self.db = db
    counts = try Self.counts(db)
  }

  private static func counts(_ db: Database) throws -> [Place: Int64] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT coalesce(person, 0), timestamp_us / \(RollupTable.hour), count(*) FROM stress_measurement
        WHERE is_deleted = 0 GROUP BY 1, 2
        """)
    var counts: [Place: Int64] = [:]
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      counts[Place(person: try reader.integer(0), hour: try reader.integer(1))] = try reader.integer(2)
    }
    return counts
  }

  /// Behind the deletion: takes the levels anew of the hours and days that have lost some. A day is taken for 24 hours here.
  func update() throws {
    let now = try Self.counts(db)
    for place in counts.keys where counts[place] != now[place] {
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
