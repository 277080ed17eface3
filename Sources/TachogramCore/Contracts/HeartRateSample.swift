import FoundationEssentials

/// One heart-rate reading.
package struct HeartRateSample: Hashable, Sendable {
  /// In bpm.
  package var value: Double
  package var timestamp: Date

  package init(value: Double, timestamp: Date) {
    self.value = value
    self.timestamp = timestamp
  }
}
