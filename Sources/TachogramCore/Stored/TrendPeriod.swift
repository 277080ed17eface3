/// The period over which trends are shown.
package enum TrendPeriod: String, Hashable, Sendable, CaseIterable {
  case day, week, month, year

  /// The number of days; the last is the requested day.
  package var days: Int64 {
    switch self {
    case .day: 1
    case .week: 7
    case .month: 30
    case .year: 365
    }
  }
}
