/// Computes stress from heart-rate variability and heart rate.
package protocol StressAlgorithmServiceProtocol: Sendable {
  /// The stress of one reading; `hrv` in ms, `heartRate` in bpm. Impossible input throws.
  func calculateStress(hrv: Double, heartRate: Double) async throws -> StressResult

  /// How far a level from this reading and this many samples can be trusted, 0 … 1.
  func calculateConfidence(hrv: Double, heartRate: Double, samples: Int) -> Double
}
