import FoundationEssentials
import TachogramCore

/// Chooses the reading of each morning from stored windows, one window at a time and in any order.
///
/// A window is accepted if it lies between 03:00 and 12:00 local time, has a coverage of at least 80 % and at most 5 %
/// artifacts, and has an lnRMSSD. The reading of a day comes from the earliest session with such a window; within that session
/// it is the first 5-minute window, else the first of 120 s, else the first of 60 s.
package struct MorningReadingSelection: Sendable {
  /// The accepted window lengths, the preferred first.
  package static let lengths: [WindowLength] = [.fiveMinutes, .twoMinutes, .minute]
  /// The range of the window in seconds of the day, in local time.
  package static let hours = 3.0 * 3600...12.0 * 3600
  /// The least share of a window that intervals cover.
  package static let leastCoverage = 0.8
  /// The largest accepted share of artifacts among its beats.
  package static let mostArtifacts = 0.05

  private let timeZone: TimeZone
  private var chosen: [CivilDay: PlacedWindow] = [:]

  /// Creates an empty selection; days and hours are those of `timeZone`.
  package init(timeZone: TimeZone) {
    self.timeZone = timeZone
  }

  /// The readings, the oldest first.
  package var readings: [MorningReading] {
    chosen.values.sorted { $0.end < $1.end }.compactMap { placed in
      placed.window.metrics.values.lnRMSSD.map { MorningReading(timestamp: placed.end.date, lnRMSSD: $0) }
    }
  }

  /// Appends a window if it is acceptable and preferred to the current one of its day.
  package mutating func append(_ placed: PlacedWindow) {
    guard let day = morning(of: placed) else { return }
    guard let other = chosen[day], !isPreferred(placed, to: other) else {
      chosen[day] = placed
      return
    }
  }

  /// The earliest end, after that of an appended window, of another window of the same session and length that can change the
  /// readings; `nil` if the next window can.
  package func nextEnd(after placed: PlacedWindow) -> WallTime? {
    let end = LocalTime(of: placed.end.date, in: timeZone)
    // Later windows of a session are less preferred.
    let isChosen = chosen[end.day].map { $0 == placed || !isPreferred(placed, to: $0) } ?? false
    guard isChosen || end.secondOfDay > Self.hours.upperBound else { return morning(behind: placed.end, end) }
    let day = end.day.advanced(by: 1)
    let midnight = WallTime(day.start(in: timeZone))
    // The clock may skip an hour during the night.
    let early = midnight.advanced(byMicroseconds: Int64(Self.hours.lowerBound - 3600) * 1_000_000)
    let clock = LocalTime(of: early.date, in: timeZone)
    return clock.day == day && clock.secondOfDay <= Self.hours.lowerBound ? early : midnight
  }

  /// The time, up to an hour before the morning range, on the day of `instant`, whose local time is `clock`; `nil` if the range
  /// is closer or has begun.
  private func morning(behind instant: WallTime, _ clock: LocalTime) -> WallTime? {
    // The clock may skip an hour during the night.
    let seconds = Self.hours.lowerBound - 3600 - clock.secondOfDay
    guard seconds > 0 else { return nil }
    let early = instant.advanced(byMicroseconds: Int64(seconds) * 1_000_000)
    let then = LocalTime(of: early.date, in: timeZone)
    return then.day == clock.day && then.secondOfDay <= Self.hours.lowerBound ? early : nil
  }

  /// The day of a window; `nil` if the window is not acceptable.
  private func morning(of placed: PlacedWindow) -> CivilDay? {
    guard
      Self.lengths.contains(placed.window.length), placed.filledShare >= Self.leastCoverage,
      placed.window.artifactShare <= Self.mostArtifacts, placed.window.metrics.values.lnRMSSD?.isFinite == true
    else { return nil }
    let start = LocalTime(of: placed.start.date, in: timeZone)
    let end = LocalTime(of: placed.end.date, in: timeZone)
    guard
      start.day == end.day, Self.hours.contains(start.secondOfDay), Self.hours.contains(end.secondOfDay)
    else { return nil }
    return end.day
  }

  private func isPreferred(_ placed: PlacedWindow, to other: PlacedWindow) -> Bool {
    if placed.sessionID != other.sessionID {
      // Sessions with the same start are ordered by identifier, so that the result does not depend on the order of appending.
      return (placed.sessionStart, placed.sessionID) < (other.sessionStart, other.sessionID)
    }
    if placed.window.length != other.window.length { return placed.window.length > other.window.length }
    return placed.end < other.end
  }
}
