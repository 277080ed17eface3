import FoundationEssentials
import GRDB
import TachogramCore

/// Computes what windows have come or gone of: once through the hours that are pending, by person and time, in slices of a
/// transaction each. What comes behind the place of the pass is for the next one. Of two passes at a time each does what the
/// other has not done.
package struct TrendPass: Sendable {
  /// Hours of a slice: some fourteen thousand windows, which take some 20 milliseconds. Each is a commit, which a recorder may
  /// have to wait for, and a flush.
  private static let sliceHours = 240

  private let database: TachogramDatabase
  private let days: TrendDays
  private var place: (person: Int64, hour: Int64) = (.min, .min)

  init(database: TachogramDatabase, days: TrendDays) {
    self.database = database
    self.days = days
  }

  /// Computes the next slice. `false` when there was none.
  package mutating func advance() throws(RepositoryError) -> Bool {
    let place = place
    // Where nothing is pending nobody waits for who writes.
    guard try database.read({ db in try !RollupTable(db: db).pending(after: place, limit: 1).isEmpty }) else {
      return false
    }
    let done: (person: Int64, hour: Int64)? = try database.write { db in
      // Another pass may have computed it meanwhile.
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

  /// Without the hours of the last day, where some of that may be missing and others are left: it would be computed twice.
  private func wholeDays(_ hours: [Int64], isCut: Bool) -> [Int64] {
    guard isCut, let last = hours.last.map(days.day(ofHour:)) else { return hours }
    let whole = hours.prefix { days.day(ofHour: $0) != last }
    return whole.isEmpty ? hours : Array(whole)
  }

  /// The hours of each day.
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

  /// Hours of one day, and the days in which they lie.
  private func refresh(_ db: Database, _ person: Int64, _ hours: [Int64], _ sessions: SessionSpans) throws {
    let hourRanges = hours.map(TrendDays.range(ofHour:))
    // An hour may lie in two days where clocks are not a whole number of hours from UTC.
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
