import TachogramCore

/// Which trends are asked for.
package struct TrendQuery: Hashable, Sendable {
  package var person: String?
  package var period: TrendPeriod
  /// The last day; `nil` for today.
  package var end: CivilDay?
}
