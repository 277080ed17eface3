import FoundationEssentials
import TachogramCore

/// The hours of UTC and the days of a time zone.
struct TrendDays: Sendable {
  let timeZone: TimeZone

  static func range(ofHour number: Int64) -> Range<WallTime> {
    let start = WallTime(microseconds: number * RollupTable.hour)
    return start..<start.advanced(byMicroseconds: RollupTable.hour)
  }

  /// Returns the day in which an hour begins.
  func day(ofHour number: Int64) -> CivilDay {
    day(of: Self.range(ofHour: number).lowerBound)
  }

  /// Returns the days in which an hour begins and ends.
  func days(_ hour: Range<WallTime>) -> [CivilDay] {
    [day(of: hour.lowerBound), day(of: hour.upperBound.advanced(byMicroseconds: -1))]
  }

  func day(of time: WallTime) -> CivilDay {
    LocalTime(of: time.date, in: timeZone).day
  }

  func start(of day: CivilDay) -> WallTime {
    WallTime(day.start(in: timeZone))
  }

  func range(_ day: CivilDay) -> Range<WallTime> {
    start(of: day)..<start(of: day.advanced(by: 1))
  }
}
