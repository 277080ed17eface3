import FoundationEssentials

/// The local time at an instant.
package struct WallClock: Hashable, Sendable {
  /// Whole days since 1970-01-01 in local time.
  package let days: Double
  /// Seconds of local time since 00:00, 0 ..< 86 400; on the day of a clock change this differs from the elapsed time.
  package let secondOfDay: Double

  package init(of date: Date, in timeZone: TimeZone) {
    let local = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
    days = (local / 86_400).rounded(.down)
    secondOfDay = local - days * 86_400
  }

  /// The hour of the day, 0 … 23.
  package var hour: Int { min(23, max(0, Int(secondOfDay / 3600))) }
}
