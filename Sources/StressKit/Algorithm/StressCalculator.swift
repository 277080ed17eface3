import FoundationEssentials

/// Stress against a personal baseline, as the StressMonitor apps compute it:
///
///     normalizedHRV = (baselineHRV − hrv) / baselineHRV         normalizedHR = (heartRate − restingHR) / restingHR
///     hrvComponent  = max(0, normalizedHRV) ^ 0.8               hrComponent  = max(0, atan(2 · normalizedHR) / (π/2))
///     level         = clamp(100 · (0.7 · hrvComponent + 0.3 · hrComponent), 0, 100)
///
/// The level is an index relative to the person's usual values; it is not a medical measure. `hrv` is of the baseline's kind.
public struct StressCalculator: StressAlgorithmServiceProtocol {
  /// The baseline of the person.
  public let baseline: PersonalBaseline
  private let now: @Sendable () -> Date

  /// Creates a calculator for a baseline, by default the default baseline. `now` returns the timestamp of levels that are
  /// requested without one.
  public init(
    baseline: PersonalBaseline = .default(),
    now: @escaping @Sendable () -> Date = { Date() },
  ) {
    self.baseline = baseline
    self.now = now
  }

  // MARK: - As a service

  /// Returns the stress of one reading, with the current time; `hrv` in ms, `heartRate` in bpm. The service contract does not
  /// include the number and quality of the samples behind a reading: it counts as one sample, with full coverage and without
  /// artifacts, so that the confidence is at most 0.73. Throws a `StressError`.
  public func calculateStress(hrv: Double, heartRate: Double) async throws -> StressResult {
    try stress(hrv: hrv, heartRate: heartRate, samples: 1, coverage: 1, artifactShare: 0, at: now())
  }

  /// Returns the stress of one reading against `baseline` instead of the calculator's own; `hrv` is of the kind of `baseline`.
  public func calculateStress(
    hrv: Double, heartRate: Double, baseline: PersonalBaseline
  ) async throws -> StressResult {
    try await StressCalculator(baseline: baseline, now: now).calculateStress(hrv: hrv, heartRate: heartRate)
  }

  /// Returns the confidence in a level, 0 … 1: 1, halved when `hrv` is below 20 ms, × 0.6 when `heartRate` is below 40 or above
  /// 180 bpm, × (0.7 + 0.3 · min(1, samples / 10)). A negative number of samples counts as 0. Returns 0 if `hrv` or `heartRate`
  /// is invalid.
  public func calculateConfidence(hrv: Double, heartRate: Double, samples: Int) -> Double {
    guard Self.isValid(hrv: hrv), Self.isPositive(heartRate) else { return 0 }
    var confidence = 1.0
    if hrv < 20 { confidence *= 0.5 }
    if heartRate < 40 || heartRate > 180 { confidence *= 0.6 }
    return confidence * (0.7 + 0.3 * min(1, Double(max(0, samples)) / 10))
  }

  // MARK: - In the pipeline

  /// Returns the stress of a window that ends at `timestamp`: `hrv` in ms, the mean `heartRate` in bpm, `samples` the number of
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
    // With valid input a quotient may be infinite in extreme cases, but it is never NaN.
    let normalizedHRV = (usual - hrv) / usual
    let normalizedHR = (heartRate - resting) / resting
    let hrvComponent = Maths.power(max(0, normalizedHRV), 0.8)
    let hrComponent = max(0, Maths.arcTangent(2 * normalizedHR) / (Double.pi / 2))
    return min(100, max(0, 100 * (0.7 * hrvComponent + 0.3 * hrComponent)))
  }

  private static func isValid(hrv: Double) -> Bool { hrv.isFinite && hrv >= 0 }

  private static func isPositive(_ value: Double) -> Bool { value.isFinite && value > 0 }
}
