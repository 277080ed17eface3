import FoundationEssentials
import Statistics
import StressKit
import TachogramCore

/// A morning reading in comparison with the other mornings of the last 60 days.
///
/// The usual range is that between the quartiles of RMSSD, one reading per day, the last of each; at least seven days are
/// needed.
package struct MorningComparison: Hashable, Sendable {
  package enum Verdict: String, Hashable, Sendable {
    case below, within, above
  }

  /// The quartiles and the median of RMSSD, in ms.
  package struct UsualRange: Hashable, Sendable {
    package let lower: Double
    package let median: Double
    package let upper: Double
  }

  /// The number of days that are compared.
  package static let days = 60
  /// The least number of other mornings.
  package static let needed = 7

  /// The number of other mornings.
  package let count: Int
  /// The usual range, or `nil` if there are too few mornings.
  package let range: UsualRange?
  /// The place of the reading, or `nil` if there is no range.
  package let verdict: Verdict?

  /// Compares a reading with earlier ones of the same person. Readings of its own day and later ones are ignored.
  package init(_ reading: HRVReading, among readings: [HRVReading], timeZone: TimeZone) {
    let day = LocalTime(of: reading.start.date, in: timeZone).day
    var values: [CivilDay: (start: WallTime, rmssd: Double)] = [:]
    for other in readings {
      let otherDay = LocalTime(of: other.start.date, in: timeZone).day
      guard otherDay.number < day.number, otherDay.number >= day.number - Int64(Self.days), let rmssd = other.rmssd
      else { continue }
      if let known = values[otherDay], known.start > other.start { continue }
      values[otherDay] = (other.start, rmssd)
    }
    count = values.count
    let sorted = values.values.map(\.rmssd).sorted()
    guard sorted.count >= Self.needed, let lower = Quantile.ofSorted(sorted, at: 0.25),
      let median = Quantile.ofSorted(sorted, at: 0.5), let upper = Quantile.ofSorted(sorted, at: 0.75),
      let value = reading.rmssd
    else {
      (range, verdict) = (nil, nil)
      return
    }
    range = UsualRange(lower: lower, median: median, upper: upper)
    verdict = value < lower ? .below : value > upper ? .above : .within
  }
}
