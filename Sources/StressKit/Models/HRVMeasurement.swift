import FoundationEssentials

/// One HRV reading of one metric.
public struct HRVMeasurement: Hashable, Sendable {
  /// In ms.
  public var value: Double
  /// Which metric `value` is.
  public var kind: HRVKind
  /// When it was taken.
  public var timestamp: Date

  /// Creates a reading of `value` ms, by default with the current time.
  public init(value: Double, kind: HRVKind = .sdnn, timestamp: Date = Date()) {
    self.value = value
    self.kind = kind
    self.timestamp = timestamp
  }
}
