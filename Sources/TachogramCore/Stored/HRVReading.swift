/// A measurement of some minutes that a person began, with its values after artifact correction.
package struct HRVReading: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The measurement after waking up, which is compared with those of other mornings.
    case morning
    /// A measurement at any other time.
    case spot
  }

  /// A UUID in lower case.
  package var id: String
  package var kind: Kind
  /// The person who wore the strap, or `nil` if no person was named.
  package var person: String?
  /// The session that contains it, or `nil` if it was deleted.
  package var session: String?
  package var start: WallTime
  package var duration: Duration
  /// The share of the duration that intervals cover, 0 … 1.
  package var coverage: Double
  /// The share of beats that are artifacts, 0 … 1.
  package var artifactShare: Double
  /// The number of intervals.
  package var count: Int
  /// In bpm; `nil`, as the other metrics, if the minimum of the metric was not met.
  package var meanHeartRate: Double?
  /// In ms.
  package var sdnn: Double?
  /// In ms.
  package var rmssd: Double?

  package init(
    id: String, kind: Kind, person: String?, session: String?, start: WallTime, duration: Duration, coverage: Double,
    artifactShare: Double, count: Int, meanHeartRate: Double? = nil, sdnn: Double? = nil, rmssd: Double? = nil,
  ) {
    self.id = id
    self.kind = kind
    self.person = person
    self.session = session
    self.start = start
    self.duration = duration
    self.coverage = coverage
    self.artifactShare = artifactShare
    self.count = count
    self.meanHeartRate = meanHeartRate
    self.sdnn = sdnn
    self.rmssd = rmssd
  }
}
