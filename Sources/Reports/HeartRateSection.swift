import Pipeline

/// The section `heartRate`: the heart rate as averaged by the strap, in bpm.
package struct HeartRateSection: Encodable {
  let mean: Double
  let lowest: UInt16
  let highest: UInt16

  init?(_ counts: NotificationCounts) {
    guard let mean = counts.meanHeartRate, let lowest = counts.lowestHeartRate, let highest = counts.highestHeartRate
    else { return nil }
    self.mean = mean
    self.lowest = lowest
    self.highest = highest
  }
}
