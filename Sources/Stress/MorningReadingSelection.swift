import FoundationEssentials
import TachogramCore

/// Chooses the reading of each morning from stored windows, one window at a time and in any order.
///
/// A window counts when it lies between 03:00 and 12:00 local time, is covered to 80 % at least, has no more than 5 %
/// artifacts, and has an lnRMSSD. The reading of a day is of the earliest session that has such a window; of that
/// session the first 5-minute window, else the first of 120 s, else the first of 60 s.
package struct MorningReadingSelection: Sendable {
  /// The lengths of windows that count, the preferred first.
  package static let lengths: [WindowLength] = [.fiveMinutes, .twoMinutes, .minute]
  /// Between which seconds of the day a window lies, as clocks show them.
  package static let hours = 3.0 * 3600...12.0 * 3600
  /// The share of a window that intervals cover at least.
  package static let leastCoverage = 0.8
  /// The share of its beats that are artifacts at most.
  package static let mostArtifacts = 0.05

  private let timeZone: TimeZone
  private var chosen: [CivilDay: PlacedWindow] = [:]

  /// A selection of nothing yet; days and hours are those of `timeZone`.
  package init(timeZone: TimeZone) {
    self.timeZone = timeZone
  }

  /// The readings, the oldest first.
  package var readings: [MorningReading] {
    chosen.values.sorted { $0.end < $1.end }.compactMap { placed in
      placed.window.metrics.values.lnRMSSD.map { MorningReading(timestamp: placed.end.date, lnRMSSD: $0) }
    }
  }

  /// Takes a window into account.
  package mutating func append(_ placed: PlacedWindow) {
    guard let day = morning(of: placed) else { return }
    guard let other = chosen[day], !isPreferred(placed, to: other) else {
      chosen[day] = placed
      return
    }
  }

  /// The earliest end, behind that of a window that was taken, of another one of the same session and length that can change
  /// the readings; `nil` where that may be the next.
  package func nextEnd(after placed: PlacedWindow) -> WallTime? {
    let end = LocalTime(of: placed.end.date, in: timeZone)
    // What comes later in a session is less preferred.
    let isChosen = chosen[end.day].map { $0 == placed || !isPreferred(placed, to: $0) } ?? false
    guard isChosen || end.secondOfDay > Self.hours.upperBound else { return morning(behind: placed.end, end) }
    let day = end.day.advanced(by: 1)
    let midnight = WallTime(day.start(in: timeZone))
    // An hour may be left out of the night.
    let early = midnight.advanced(byMicroseconds: Int64(Self.hours.lowerBound - 3600) * 1_000_000)
    let clock = LocalTime(of: early.date, in: timeZone)
    return clock.day == day && clock.secondOfDay <= Self.hours.lowerBound ? early : midnight
  }

  /// When clocks come near the morning of the day of an instant, which they show so; `nil` where they are near it or in it.
  private func morning(behind instant: WallTime, _ clock: LocalTime) -> WallTime? {
    // An hour may be left out of the night.
    let seconds = Self.hours.lowerBound - 3600 - clock.secondOfDay
    guard seconds > 0 else { return nil }
    let early = instant.advanced(byMicroseconds: Int64(seconds) * 1_000_000)
    let then = LocalTime(of: early.date, in: timeZone)
    return then.day == clock.day && then.secondOfDay <= Self.hours.lowerBound ? early : nil
  }

  /// The day of a window that counts.
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
      // Two sessions of one instant are distinguished by name, so that the order in which they come does not matter.
      return (placed.sessionStart, placed.sessionID) < (other.sessionStart, other.sessionID)
    }
    if placed.window.length != other.window.length { return placed.window.length > other.window.length }
    return placed.end < other.end
  }
}
