import FoundationEssentials

/// One heart-rate reading.
public struct HeartRateSample: Hashable, Sendable {
  /// In bpm.
  public var value: Double
  /// When it was taken.
  public var timestamp: Date

  /// Creates a reading of `value` bpm, by default with the current time.
  public init(value: Double, timestamp: Date = Date()) {
    self.value = value
    self.timestamp = timestamp
  }
}
