import Foundation
import TachogramCore
import Testing

/// Days, instants and windows for the tests of baselines.
enum StressScript {
  static func zone(_ identifier: String) throws -> TimeZone {
    try #require(TimeZone(identifier: identifier))
  }

  static func day(_ text: String) throws -> CivilDay {
    try #require(CivilDay(text: text))
  }

  /// An instant by its clock in UTC.
  static func utc(_ day: String, hour: Double) throws -> Date {
    try Self.day(day).start(in: .gmt) + hour * 3600
  }

  /// A window that counts, unless something else is said. `sessionStart` is in minutes before its end.
  static func window(
    endingAt end: Date, length: WindowLength = .fiveMinutes, session: String = "a", sessionStart: Double = 60,
    coverage: Double = 1,
    filled: Double = 1, artifactShare: Double = 0, values: HRVValues,
  ) -> PlacedWindow {
    let microseconds = Int64((end.timeIntervalSince1970 * 1e6).rounded())
    return PlacedWindow(
      sessionID: session, sessionStart: WallTime(microseconds: microseconds - Int64(sessionStart * 60_000_000)),
      end: WallTime(microseconds: microseconds),
      window: HRVWindow(
        length: length, end: MonotonicTime(microseconds: microseconds), coverage: coverage,
        artifactShare: artifactShare,
        metrics: TimeDomainMetrics(
          count: length.seconds, pairCount: length.seconds - 1, duration: filled * Double(length.seconds) * 1000,
          values: values)))
  }

  static func lnRMSSD(_ value: Double?) -> HRVValues {
    var values = HRVValues()
    values.lnRMSSD = value
    return values
  }
}
