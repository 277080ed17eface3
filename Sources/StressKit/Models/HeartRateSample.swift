import FoundationEssentials

/// One heart-rate reading.
public struct HeartRateSample: Hashable, Sendable {
  /// In bpm.
  public var value: Double
  /// When it was taken.
  public var timestamp: Date

  /// A reading of `value` bpm, taken now unless `timestamp` says otherwise.
  public init(value: Double, timestamp: Date = Date()) {
    self.value = value
    self.timestamp = timestamp
  }
}
