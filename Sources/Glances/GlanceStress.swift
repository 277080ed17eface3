import StressKit

/// A stress level to show.
package struct GlanceStress: Hashable, Sendable {
  /// 0 (relaxed) … 100 (high).
  package let level: Double
  /// 0 … 1.
  package let confidence: Double

  /// The band of the level.
  package var category: StressCategory { StressCategory(level: level) }

  /// Creates a level, clamped to 0 … 100, with a confidence, clamped to 0 … 1. Returns `nil` if one of them is not finite.
  package init?(level: Double, confidence: Double) {
    guard level.isFinite, confidence.isFinite else { return nil }
    self.level = min(100, max(0, level))
    self.confidence = min(1, max(0, confidence))
  }

  /// Creates the level of a result. Returns `nil` if a value is not finite.
  package init?(_ result: StressResult) {
    self.init(level: result.level, confidence: result.confidence)
  }
}
