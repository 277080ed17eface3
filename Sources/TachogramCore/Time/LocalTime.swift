import FoundationEssentials
import StressKit

/// The local date and time of an instant in a time zone.
package struct LocalTime: Hashable, Sendable {
  package let day: CivilDay
  /// The clock time in seconds since 00:00, 0 ..< 86 400. On a day with a clock change this is not the elapsed time.
  package var secondOfDay: Double { clock.secondOfDay }
  private let clock: WallClock

  package init(of date: Date, in timeZone: TimeZone) {
    clock = WallClock(of: date, in: timeZone)
    day = CivilDay(number: Int64(exactly: clock.days) ?? 0)
  }

  /// The hour of the day, 0 … 23.
  package var hour: Int { clock.hour }
}
