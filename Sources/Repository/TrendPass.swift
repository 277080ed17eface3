import FoundationEssentials
import GRDB
import TachogramCore

/// Updates trends after changes of windows: one pass through the pending hours, by person and time, in slices of one
/// transaction each. Hours that become pending behind the position of the pass are left to the next one. Two concurrent passes
/// share the work.
package struct TrendPass: Sendable {
  /// The number of hours in a slice: some 14 000 windows, which take about 20 milliseconds. Each slice is a commit with a
  /// flush, which a recorder may have to wait for.
  private static let sliceHours = 240

  private let database: TachogramDatabase
  private let days: TrendDays
  private var place: (person: Int64, hour: Int64) = (.min, .min)

  init(database: TachogramDatabase, days: TrendDays) {
    self.database = database
    self.days = days
  }

  /// Computes the next slice. Returns `false` if there was none.
  package mutating func advance() throws(RepositoryError) -> Bool {
    let place = place
    // If nothing is pending, no write lock is needed.
    guard try database.read({ db in try !RollupTable(db: db).pending(after: place, limit: 1).isEmpty }) else {
      return false
    }
    let done: (person: Int64, hour: Int64)? = try database.write { db in
      // Another pass may have computed it.
      let pending = try RollupTable(db: db).pending(after: place, limit: Self.sliceHours)
      guard let person = pending.first?.person else { return nil }
      let own = pending.filter { $0.person == person }.map(\.hour)
      let hours = wholeDays(own, isCut: pending.count == Self.sliceHours)
      guard let last = hours.last else { return nil }
      try database.withSessionSpans { sessions in
        try sessions.update(db, person: person)
        for hours in grouped(hours) { try refresh(db, person, hours, sessions) }
        try RollupTable(db: db).clearPending(person: person, hours: hours)
        try sessions.keep(db)
      }
      return (person, last)
    }
    if let done { self.place = done }
    return true
  }

  /// Returns the hours without those of the last day, if some of that day may be missing, because it would be computed twice.
  private func wholeDays(_ hours: [Int64], isCut: Bool) -> [Int64] {
    guard isCut, let last = hours.last.map(days.day(ofHour:)) else { return hours }
    let whole = hours.prefix { days.day(ofHour: $0) != last }
    return whole.isEmpty ? hours : Array(whole)
  }

  /// Returns the hours grouped by day.
  private func grouped(_ hours: [Int64]) -> [[Int64]] {
    var groups: [(day: CivilDay, hours: [Int64])] = []
    for hour in hours {
      let day = days.day(ofHour: hour)
      if groups.last?.day == day {
        groups[groups.count - 1].hours.append(hour)
      } else {
        groups.append((day, [hour]))
      }
    }
    return groups.map(\.hours)
  }

  /// Updates the hours of one day, and the days that they lie in.
  private func refresh(_ db: Database, _ person: Int64, _ hours: [Int64], _ sessions: SessionSpans) throws {
    let hourRanges = hours.map(TrendDays.range(ofHour:))
    // An hour lies in two days if the offset from UTC is not a whole number of hours.
    let days = Set(hourRanges.flatMap(self.days.days)).sorted()
    let dayRanges = days.map(self.days.range)
    let all = dayRanges + hourRanges
    guard let first = all.map(\.lowerBound).min(), let last = all.map(\.upperBound).max() else { return }
    let table = RollupTable(db: db)
    let samples = try TrendSamples(db, person, first..<last, sessions)
    for range in hourRanges { try table.store(samples.point(range), .hour, person: person) }
    let starts = Set(days.flatMap { day in [-1, 0, 1].map { self.days.start(of: day.advanced(by: $0)) } })
    for range in dayRanges {
      try table.deleteVoidDays(over: range, person: person, starts: starts)
      let hours = try table.points(.hour, person: person, in: range)
      try table.store(samples.day(range, of: hours), .day, person: person)
    }
  }
}
