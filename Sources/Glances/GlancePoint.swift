import TachogramCore

/// The means of five minutes. Values that are not finite or not plausible are absent.
package struct GlancePoint: Hashable, Sendable {
  /// The start of the five minutes. A time within them counts as well.
  package let time: WallTime
  /// The mean heart rate, in bpm.
  package let heartRate: Double?
  /// The stress level, 0 … 100.
  package let stressLevel: Double?

  /// Creates a point; `heartRate` in bpm, `stressLevel` 0 … 100.
  package init(time: WallTime, heartRate: Double? = nil, stressLevel: Double? = nil) {
    self.time = time
    self.heartRate = GlanceReading.valid(heartRate, below: GlanceReading.heartRateLimit)
    self.stressLevel = stressLevel.flatMap { (0...100).contains($0) ? $0 : nil }
  }
}
