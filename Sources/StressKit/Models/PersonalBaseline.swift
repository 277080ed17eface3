import FoundationEssentials

/// The usual values of one person in one HRV metric.
public struct PersonalBaseline: Hashable, Sendable {
  /// Resting heart rate, in bpm.
  public var restingHeartRate: Double
  /// Usual HRV, in ms.
  public var baselineHRV: Double
  /// Which metric `baselineHRV` is.
  public var kind: HRVKind
  /// The number of measurements behind the baseline, after the outlier filter.
  public var sampleCount: Int
  /// Whether the baseline was computed for the person; `false` for the default values, which apply if there are too few
  /// measurements.
  public var isPersonal: Bool
  /// Median HRV by hour of the day (0 … 23, by default UTC), in ms, for the hours with at least five measurements.
  public var hourlyHRV: [Int: Double]
  /// When it was computed.
  public var lastUpdated: Date

  /// Creates a baseline with all its fields, without computing any.
  public init(
    restingHeartRate: Double, baselineHRV: Double, kind: HRVKind = .sdnn, sampleCount: Int, isPersonal: Bool,
    hourlyHRV: [Int: Double] = [:], lastUpdated: Date,
  ) {
    self.restingHeartRate = restingHeartRate
    self.baselineHRV = baselineHRV
    self.kind = kind
    self.sampleCount = sampleCount
    self.isPersonal = isPersonal
    self.hourlyHRV = hourlyHRV
    self.lastUpdated = lastUpdated
  }

  /// The values used until a person has a baseline: 50 ms and 60 bpm, marked as not personal. Since they are not computed,
  /// `lastUpdated` defaults to 1970-01-01T00:00:00Z.
  public static func `default`(
    kind: HRVKind = .sdnn, lastUpdated: Date = Date(timeIntervalSince1970: 0)
  ) -> PersonalBaseline {
    PersonalBaseline(
      restingHeartRate: 60, baselineHRV: 50, kind: kind, sampleCount: 0, isPersonal: false, lastUpdated: lastUpdated)
  }
}
