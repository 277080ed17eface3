import FoundationEssentials

/// A stress level with what it was computed from.
package struct StressResult: Hashable, Sendable {
  /// 0 (relaxed) … 100 (high).
  package var level: Double
  package var category: StressCategory
  /// 0 … 1.
  package var confidence: Double
  /// The heart-rate variability that went in, in ms.
  package var hrv: Double
  /// The heart rate that went in, in bpm.
  package var heartRate: Double
  package var timestamp: Date

  /// The mood that goes with the level.
  package var mood: StressBuddyMood { StressBuddyMood(level: level) }

  package init(
    level: Double, category: StressCategory, confidence: Double, hrv: Double, heartRate: Double, timestamp: Date,
  ) {
    self.level = level
    self.category = category
    self.confidence = confidence
    self.hrv = hrv
    self.heartRate = heartRate
    self.timestamp = timestamp
  }
}
