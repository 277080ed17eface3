import FoundationEssentials

/// A stress level with what it was computed from.
public struct StressResult: Hashable, Sendable {
  /// 0 (relaxed) … 100 (high).
  public var level: Double
  /// The band of the level.
  public var category: StressCategory
  /// 0 … 1.
  public var confidence: Double
  /// The heart-rate variability that went in, in ms.
  public var hrv: Double
  /// The heart rate that went in, in bpm.
  public var heartRate: Double
  /// When it was computed for.
  public var timestamp: Date

  /// The mood that goes with the level.
  public var mood: StressBuddyMood { StressBuddyMood(level: level) }

  /// The category of a level.
  public static func category(for level: Double) -> StressCategory { StressCategory(level: level) }

  /// With all its fields; nothing is computed.
  public init(
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
