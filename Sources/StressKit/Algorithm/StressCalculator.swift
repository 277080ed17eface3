import FoundationEssentials

/// Stress against a personal baseline, as the StressMonitor apps compute it:
///
///     normalizedHRV = (baselineHRV − hrv) / baselineHRV         normalizedHR = (heartRate − restingHR) / restingHR
///     hrvComponent  = max(0, normalizedHRV) ^ 0.8               hrComponent  = max(0, atan(2 · normalizedHR) / (π/2))
///     level         = clamp(100 · (0.7 · hrvComponent + 0.3 · hrComponent), 0, 100)
///
/// It is an index against what is usual for the person, and no medical measure. `hrv` is of the baseline's kind.
public struct StressCalculator: StressAlgorithmServiceProtocol {
  /// What is normal for the person.
  public let baseline: PersonalBaseline
  private let now: @Sendable () -> Date

  /// A calculator against a baseline, by default that of whoever has none yet. `now` gives the time of the levels that are asked
  /// for without one.
  public init(
    baseline: PersonalBaseline = .default(),
    now: @escaping @Sendable () -> Date = { Date() },
  ) {
    self.baseline = baseline
    self.now = now
  }

  // MARK: - As a service

  /// The stress of one reading, now; `hrv` in ms, `heartRate` in bpm. The service contract does not say how many
  /// samples stand behind a reading, nor how good they are: it counts as one sample, of full coverage and without
  /// artifacts, so that the confidence is at most 0.73. Throws a `StressError`.
  public func calculateStress(hrv: Double, heartRate: Double) async throws -> StressResult {
    try stress(hrv: hrv, heartRate: heartRate, samples: 1, coverage: 1, artifactShare: 0, at: now())
  }

  /// The same against another baseline than `baseline`, whose kind `hrv` is of.
  public func calculateStress(
    hrv: Double, heartRate: Double, baseline: PersonalBaseline
  ) async throws -> StressResult {
    try await StressCalculator(baseline: baseline, now: now).calculateStress(hrv: hrv, heartRate: heartRate)
  }

  /// How far a level can be trusted, 0 … 1: 1, halved when `hrv` is below 20 ms, × 0.6 when `heartRate` is below 40 or
  /// above 180 bpm, × (0.7 + 0.3 · min(1, samples / 10)). Fewer than no samples count as none; for input from which no
  /// level follows it is 0.
  public func calculateConfidence(hrv: Double, heartRate: Double, samples: Int) -> Double {
    guard Self.isValid(hrv: hrv), Self.isPositive(heartRate) else { return 0 }
    var confidence = 1.0
    if hrv < 20 { confidence *= 0.5 }
    if heartRate < 40 || heartRate > 180 { confidence *= 0.6 }
    return confidence * (0.7 + 0.3 * min(1, Double(max(0, samples)) / 10))
  }

  // MARK: - In the pipeline

  /// The stress of a window that ends at `timestamp`: `hrv` in ms, the mean `heartRate` in bpm, `samples` the number of
  /// readings behind them. The confidence is `calculateConfidence` × `coverage` × (1 − `artifactShare`), both 0 … 1.
  public func stress(
    hrv: Double, heartRate: Double, samples: Int, coverage: Double, artifactShare: Double, at timestamp: Date,
  ) throws(StressError) -> StressResult {
    let level = try level(hrv: hrv, heartRate: heartRate)
    guard (0...1).contains(coverage) else { throw .invalidCoverage(coverage) }
    guard (0...1).contains(artifactShare) else { throw .invalidArtifactShare(artifactShare) }
    let confidence = calculateConfidence(hrv: hrv, heartRate: heartRate, samples: samples)
    return StressResult(
      level: level, category: StressCategory(level: level), confidence: confidence * coverage * (1 - artifactShare),
      hrv: hrv, heartRate: heartRate, timestamp: timestamp,
    )
  }

  private func level(hrv: Double, heartRate: Double) throws(StressError) -> Double {
    let usual = baseline.baselineHRV
    let resting = baseline.restingHeartRate
    guard Self.isValid(hrv: hrv) else { throw .invalidHRV(hrv) }
    guard Self.isPositive(heartRate) else { throw .invalidHeartRate(heartRate) }
    guard Self.isPositive(usual) else { throw .invalidBaselineHRV(usual) }
    guard Self.isPositive(resting) else { throw .invalidRestingHeartRate(resting) }
    // With these, either quotient may be infinite for extreme input, and neither is ever NaN.
    let normalizedHRV = (usual - hrv) / usual
    let normalizedHR = (heartRate - resting) / resting
    let hrvComponent = Maths.power(max(0, normalizedHRV), 0.8)
    let hrComponent = max(0, Maths.arcTangent(2 * normalizedHR) / (Double.pi / 2))
    return min(100, max(0, 100 * (0.7 * hrvComponent + 0.3 * hrComponent)))
  }

  private static func isValid(hrv: Double) -> Bool { hrv.isFinite && hrv >= 0 }

  private static func isPositive(_ value: Double) -> Bool { value.isFinite && value > 0 }
}
