import FoundationEssentials
import GRDB
import TachogramCore

/// The hourly and daily trends, kept up to date with the stored windows.
package struct TrendRepository: Sendable {
  private let database: TachogramDatabase
  private let days: TrendDays

  /// Creates a repository for the days of `timeZone`.
  package init(database: TachogramDatabase, timeZone: TimeZone) {
    self.database = database
    days = TrendDays(timeZone: timeZone)
  }

  // MARK: - Reading

  /// Returns the hours of a period of one day, or the days of a longer one, that have data. `last` is the last day.
  package func points(
    of person: String?, _ period: TrendPeriod, last: CivilDay
  ) throws(RepositoryError) -> (range: Range<WallTime>, points: [TrendPoint]) {
    let first = last.advanced(by: 1 - period.days)
    let range = days.start(of: first)..<days.start(of: last.advanced(by: 1))
    let points: [TrendPoint] = try database.read { db in
      guard case .key(let key) = try PersonTable(db: db).owner(named: person) else { return [] }
      let table = RollupTable(db: db)
      if period == .day { return try table.points(.hour, person: key ?? 0, in: range) }
      // Days of a previous time zone are excluded.
      let starts = Set((0..<period.days).map { days.start(of: first.advanced(by: $0)) })
      return try table.points(.day, person: key ?? 0, in: range).filter { starts.contains($0.start) }
    }
    return (range, points)
  }

  /// Returns all hours of a person, in order.
  package func hours(of person: String?) throws(RepositoryError) -> [TrendPoint] {
    try database.read { db in
      guard case .key(let key) = try PersonTable(db: db).owner(named: person) else { return [] }
      let ever = WallTime(microseconds: .min)..<WallTime(microseconds: .max)
      return try RollupTable(db: db).points(.hour, person: key ?? 0, in: ever)
    }
  }

  // MARK: - Keeping up

  /// Updates the trends after changes of windows.
  package func refresh() throws(RepositoryError) {
    var pass = pass()
    while try pass.advance() {}
  }

  /// Returns a pass that updates the trends in slices, between which the caller can do other work.
  package func pass() -> TrendPass { TrendPass(database: database, days: days) }

  /// Recomputes days that are stored for another time zone, a day at a time, and then deletes the old ones.
  package func adoptTimeZone() throws(RepositoryError) {
    let ever = WallTime(microseconds: .min)..<WallTime(microseconds: .max)
    let strange = try database.read { db in
      try RollupTable(db: db).points(.day, in: ever).filter {
        days.start(of: days.day(of: $0.point.start)) != $0.point.start
      }
    }
    for (person, points) in Dictionary(grouping: strange, by: \.person) {
      let hours = try database.read { db in try RollupTable(db: db).points(.hour, person: person, in: ever) }
      // An hour may lie in two days.
      let own = hours.flatMap { days.days($0.start..<$0.start.advanced(byMicroseconds: RollupTable.hour)) }
      for day in Set(own).sorted() {
        let range = days.range(day)
        try database.write { db in
          let table = RollupTable(db: db)
          let own = try table.points(.hour, person: person, in: range)
          try database.withSessionSpans { sessions in
            try sessions.update(db, person: person)
            let samples = try TrendSamples(db, person, range, sessions)
            try table.store(samples.day(range, of: own), .day, person: person)
            try sessions.keep(db)
          }
        }
      }
      try database.write { db in
        for (_, point) in points { try RollupTable(db: db).deleteDay(point.start, person: person) }
      }
    }
  }
}
