import FoundationEssentials

/// Computes stress from heart-rate variability and heart rate.
public protocol StressAlgorithmServiceProtocol: Sendable {
  /// The stress of one reading, against the baseline that the service has; `hrv` in ms, `heartRate` in bpm. Impossible input
  /// throws.
  func calculateStress(hrv: Double, heartRate: Double) async throws -> StressResult

  /// The same against a baseline, whose kind `hrv` is of.
  func calculateStress(hrv: Double, heartRate: Double, baseline: PersonalBaseline) async throws -> StressResult

  /// How far a level from this reading and this many samples can be trusted, 0 … 1.
  func calculateConfidence(hrv: Double, heartRate: Double, samples: Int) -> Double
}

extension StressAlgorithmServiceProtocol {
  /// Of a service that knows no baseline of its own: against the one of whoever has none yet.
  public func calculateStress(hrv: Double, heartRate: Double) async throws -> StressResult {
    try await calculateStress(
      hrv: hrv, heartRate: heartRate, baseline: .default())
  }
}
