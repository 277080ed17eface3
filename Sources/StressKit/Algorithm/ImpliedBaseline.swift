/// Which baseline a stress level was computed against: the formula of `StressCalculator`, solved for it.
package enum ImpliedBaseline {
  /// No interval is longer, and no variability larger, in ms.
  private static let largest = 65_536.0
  /// What a level that was printed and read again may be off by, as a part of it.
  private static let tolerance = 1e-5

  /// The usual HRV, in ms, that gives a level of 0 … 100 for an HRV in ms and heart rates in bpm: one value, or all up to the
  /// HRV where that takes no part in the level; `nil` where no baseline gives it.
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
    // Of no variability at all, each baseline is as far away.
    if hrv == 0 { return abs(hrvComponent - 1) <= tolerance ? 0...largest : nil }
    if hrvComponent <= tolerance { return 0...hrv * (1 + tolerance) }
    let usual = hrv / (1 - Maths.power(hrvComponent, 1.25))
    guard usual > 0, usual <= largest else { return nil }
    return usual * (1 - tolerance)...usual * (1 + tolerance)
  }
}
