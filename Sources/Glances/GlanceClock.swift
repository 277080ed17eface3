import TachogramCore

/// The local time of a glance: the offset from UTC, and the last clock change if it is less than 24 hours ago.
package struct GlanceClock: Hashable, Sendable {
  /// The greatest offset that is used, in seconds: 18 hours.
  private static let greatestOffset = 18 * 3600
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The offset at the time of rendering, in seconds east of UTC.
  package let utcOffset: Int
  private var earlierOffset: Int
  private var changeTime: WallTime?

  /// Creates a clock with one offset, in seconds east of UTC, clamped to 18 hours.
  package init(utcOffset: Int) {
    self.utcOffset = min(Self.greatestOffset, max(-Self.greatestOffset, utcOffset))
    earlierOffset = self.utcOffset
  }

  /// Creates the clock of the 24 hours up to `end`. `utcOffset` returns the offset at an instant, in seconds east of UTC; it
  /// changes at most once in that time.
  package init(until end: WallTime, utcOffset: (WallTime) -> Int) {
    self.init(utcOffset: utcOffset(end))
    var low = end.advanced(by: .seconds(-86_400))
    let earlier = GlanceClock(utcOffset: utcOffset(low)).utcOffset
    guard earlier != self.utcOffset else { return }
    var high = end
    while high.microseconds(since: low) > 1_000_000 {
      let middle = low.advanced(byMicroseconds: high.microseconds(since: low) / 2)
      if GlanceClock(utcOffset: utcOffset(middle)).utcOffset == earlier { low = middle } else { high = middle }
    }
    earlierOffset = earlier
    // Clock changes are at whole seconds.
    changeTime = WallTime(microseconds: (high.microseconds / 1_000_000) * 1_000_000)
  }

  // MARK: - As text

  /// Returns the clock time, such as 07:05.
  package func text(_ time: WallTime) -> String {
    let minute = minuteOfDay(time)
    return CivilDay.padded(minute / 60, 2) + ":" + CivilDay.padded(minute % 60, 2)
  }

  /// Returns the clock time if `time` is less than 24 hours from `now`, else the day, such as 28 Mar, and after half a year the
  /// year.
  package func text(_ time: WallTime, asOf now: WallTime) -> String {
    let age = now.microseconds(since: time).magnitude / 1_000_000
    if age < 86_400 { return text(time) }
    let parts = day(time).text.split(separator: "-")
    guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]), Self.months.indices.contains(month - 1)
    else { return "long ago" }
    return age < 183 * 86_400 ? "\(day) \(Self.months[month - 1])" : String(parts[0])
  }

  // MARK: - Local time

  /// Returns the minutes since local midnight, 0 ..< 1440.
  func minuteOfDay(_ time: WallTime) -> Int64 {
    let seconds = localSeconds(time)
    return (seconds - day(time).number * 86_400) / 60
  }

  private func day(_ time: WallTime) -> CivilDay {
    CivilDay(number: Self.floor(localSeconds(time), by: 86_400))
  }

  private func localSeconds(_ time: WallTime) -> Int64 {
    Self.floor(time.microseconds, by: 1_000_000) + Int64(offset(at: time))
  }

  private func offset(at time: WallTime) -> Int {
    guard let changeTime, time < changeTime else { return utcOffset }
    return earlierOffset
  }

  /// Returns the quotient, rounded down.
  static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}
