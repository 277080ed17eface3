import TachogramCore

/// The comparison of the last seven mornings with the normal range of a person.
package struct Readiness: Hashable, Sendable {
  /// The position of the weekly mean relative to the normal range.
  package enum Level: String, Hashable, Sendable, CaseIterable {
    case below, within, above
  }

  /// The last of the days.
  package var day: CivilDay
  /// Mornings with a reading among the last 7 days.
  package var weekCount: Int
  /// Mornings with a reading among the 60 days, the last 7 included.
  package var count: Int
  /// Mean lnRMSSD of the last 7 days, in ln ms; `nil` if there are too few mornings.
  package var weekMean: Double?
  /// Coefficient of variation of lnRMSSD over the last 7 days, in percent; `nil` if there are too few mornings, or if the mean
  /// is not above 0.
  package var weekVariation: Double?
  /// Mean ± 0.5 standard deviations of lnRMSSD over the 60 days, in ln ms; `nil` if there are too few mornings.
  package var normalRange: ClosedRange<Double>?
  /// The reasons why `level` is `nil`; empty if it is not.
  package var shortages: [ReadinessShortage]

  /// The weekly mean against the normal range, bounds included; `nil` when either is absent.
  package var level: Level? {
    guard let weekMean, let normalRange else { return nil }
    if weekMean < normalRange.lowerBound { return .below }
    return weekMean > normalRange.upperBound ? .above : .within
  }
}
