import FoundationEssentials

/// A stress level with its input values.
public struct StressResult: Hashable, Sendable {
  /// 0 (relaxed) … 100 (high).
  public var level: Double
  /// The band of the level.
  public var category: StressCategory
  /// 0 … 1.
  public var confidence: Double
  /// The heart-rate variability of the input, in ms.
  public var hrv: Double
  /// The heart rate of the input, in bpm.
  public var heartRate: Double
  /// The time that the level applies to.
  public var timestamp: Date

  /// The mood of the level.
  public var mood: StressBuddyMood { StressBuddyMood(level: level) }

  /// The category of a level.
  public static func category(for level: Double) -> StressCategory { StressCategory(level: level) }

  /// Creates a result with all its fields, without computing any.
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
