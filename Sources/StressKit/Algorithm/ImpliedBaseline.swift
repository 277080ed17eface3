/// The baseline that a stress level was computed against: the formula of `StressCalculator`, solved for the baseline.
package enum ImpliedBaseline {
  /// The upper bound of intervals and of their variability, in ms.
  private static let largest = 65_536.0
  /// The relative tolerance for levels that were printed and parsed again.
  private static let tolerance = 1e-5

  /// Returns the usual HRV, in ms, that leads to a level of 0 … 100 for an HRV in ms and heart rates in bpm: a narrow range
  /// around one value, or the range from 0 to the HRV if the HRV does not contribute to the level. Returns `nil` if no baseline
  /// leads to the level.
  package static func baselineHRV(
    level: Double, hrv: Double, heartRate: Double, restingHeartRate: Double,
  ) -> ClosedRange<Double>? {
    guard level.isFinite, hrv.isFinite, heartRate.isFinite, restingHeartRate.isFinite, hrv >= 0, heartRate > 0,
      restingHeartRate > 0
    else { return nil }
    let normalizedHR = (heartRate - restingHeartRate) / restingHeartRate
    let hrComponent = max(0, Maths.arcTangent(2 * normalizedHR) / (Double.pi / 2))
    let hrvComponent = (level - 30 * hrComponent) / 70
    guard (-tolerance...1 + tolerance).contains(hrvComponent) else { return nil }
    // With an HRV of 0, the normalized HRV is 1 for every baseline.
    if hrv == 0 { return abs(hrvComponent - 1) <= tolerance ? 0...largest : nil }
    if hrvComponent <= tolerance { return 0...hrv * (1 + tolerance) }
    let usual = hrv / (1 - Maths.power(hrvComponent, 1.25))
    guard usual > 0, usual <= largest else { return nil }
    return usual * (1 - tolerance)...usual * (1 + tolerance)
  }
}
