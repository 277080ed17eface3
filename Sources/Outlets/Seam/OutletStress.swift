import StressKit

/// A stress level, for other systems.
package struct OutletStress: Hashable, Sendable {
  /// 0 to 100.
  package var level: Double
  package var category: StressCategory

  package init(level: Double, category: StressCategory) {
    (self.level, self.category) = (level, category)
  }
}
