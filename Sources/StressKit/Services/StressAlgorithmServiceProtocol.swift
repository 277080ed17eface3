import FoundationEssentials

/// Computes stress from heart-rate variability and heart rate.
public protocol StressAlgorithmServiceProtocol: Sendable {
  /// Returns the stress of one reading against the baseline of the service; `hrv` in ms, `heartRate` in bpm. Throws if the
  /// input is impossible.
  func calculateStress(hrv: Double, heartRate: Double) async throws -> StressResult

  /// Returns the stress of one reading against `baseline`; `hrv` is of the kind of the baseline.
  func calculateStress(hrv: Double, heartRate: Double, baseline: PersonalBaseline) async throws -> StressResult

  /// Returns the confidence, 0 … 1, in a level from this reading and this number of samples.
  func calculateConfidence(hrv: Double, heartRate: Double, samples: Int) -> Double
}

extension StressAlgorithmServiceProtocol {
  /// Default for services without a baseline: uses the default baseline.
  public func calculateStress(hrv: Double, heartRate: Double) async throws -> StressResult {
    try await calculateStress(
      hrv: hrv, heartRate: heartRate, baseline: .default())
  }
}
