/// The stretches of time that trends are shown over.
package enum TrendPeriod: String, Hashable, Sendable, CaseIterable {
  case day, week, month, year

  /// Days; the last is the one that was asked for.
  package var days: Int64 {
    switch self {
    case .day: 1
    case .week: 7
    case .month: 30
    case .year: 365
    }
  }
}
