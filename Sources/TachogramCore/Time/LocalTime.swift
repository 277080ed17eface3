import FoundationEssentials
import StressKit

/// What the clock on the wall says at an instant.
package struct LocalTime: Hashable, Sendable {
  package let day: CivilDay
  /// Seconds that the clock shows since 00:00, 0 ..< 86 400: on a day on which clocks change, not what has passed.
  package var secondOfDay: Double { clock.secondOfDay }
  private let clock: WallClock

  package init(of date: Date, in timeZone: TimeZone) {
    clock = WallClock(of: date, in: timeZone)
    day = CivilDay(number: Int64(exactly: clock.days) ?? 0)
  }

  /// The hour of the day, 0 … 23.
  package var hour: Int { clock.hour }
}
