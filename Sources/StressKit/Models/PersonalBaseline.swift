import FoundationEssentials

/// What is normal for one person in one HRV metric.
public struct PersonalBaseline: Hashable, Sendable {
  /// Resting heart rate, in bpm.
  public var restingHeartRate: Double
  /// Usual HRV, in ms.
  public var baselineHRV: Double
  /// Which metric `baselineHRV` is.
  public var kind: HRVKind
  /// Measurements it rests on, after the outlier filter.
  public var sampleCount: Int
  /// Whether it is the person's own; `false` means the default values, too few measurements being there.
  public var isPersonal: Bool
  /// Median HRV by hour of the day (0 … 23, UTC unless the maker of the baseline said otherwise), in ms, for the hours
  /// with at least five measurements.
  public var hourlyHRV: [Int: Double]
  /// When it was computed.
  public var lastUpdated: Date

  /// With all its fields; nothing is computed.
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

  /// The values used until a person has a baseline: 50 ms and 60 bpm, marked as not personal. Nothing was computed: unless
  /// `lastUpdated` says otherwise, it is 1970-01-01T00:00:00Z.
  public static func `default`(
    kind: HRVKind = .sdnn, lastUpdated: Date = Date(timeIntervalSince1970: 0)
  ) -> PersonalBaseline {
    PersonalBaseline(
      restingHeartRate: 60, baselineHRV: 50, kind: kind, sampleCount: 0, isPersonal: false, lastUpdated: lastUpdated)
  }
}
