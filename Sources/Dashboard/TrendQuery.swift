import TachogramCore

/// The parameters of requested trends.
package struct TrendQuery: Hashable, Sendable {
  package var person: String?
  package var period: TrendPeriod
  /// The last day, or `nil` for today.
  package var end: CivilDay?
}
