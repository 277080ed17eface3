import TachogramCore

/// Whether a reading is good enough to be stored and compared.
package enum ReadingQuality: Hashable, Sendable {
  case good
  /// Intervals cover less than `leastCoverage` of the time.
  case gaps(coverage: Double)
  /// More than `mostArtifacts` of the beats are artifacts or of an irregular rhythm.
  case artifacts(share: Double)
  /// There is no RMSSD, for want of intervals.
  case tooShort

  /// The least share of the time that intervals cover.
  package static let leastCoverage = 0.9
  /// The largest share of artifacts at which short-term HRV is reliable after correction: 5 %, as Kubios and the literature on
  /// artifact correction recommend.
  package static let mostArtifacts = 0.05

  package init(_ reading: HRVReading) {
    if reading.coverage < Self.leastCoverage {
      self = .gaps(coverage: reading.coverage)
    } else if reading.artifactShare > Self.mostArtifacts {
      self = .artifacts(share: reading.artifactShare)
    } else {
      self = reading.rmssd == nil ? .tooShort : .good
    }
  }

  /// A sentence about the problem and its remedy, or `nil` for a good reading.
  package var problem: String? {
    switch self {
    case .good: nil
    case .gaps(let coverage):
      "Only \(Int((coverage * 100).rounded(.down))) % of the time is covered by heartbeats. "
        + "Moisten the electrodes, tighten the strap, stay near the station, and measure again."
    case .artifacts(let share):
      "\(Int((share * 100).rounded(.up))) % of the heartbeats are artifacts or irregular. Moisten the electrodes, sit or lie "
        + "still, and measure again."
    case .tooShort: "There are not enough heartbeats for a result. Check the strap, and measure again."
    }
  }
}
