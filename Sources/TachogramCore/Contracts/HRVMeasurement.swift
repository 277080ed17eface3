import FoundationEssentials

/// One HRV reading of one metric.
package struct HRVMeasurement: Hashable, Sendable {
  /// In ms.
  package var value: Double
  package var kind: HRVKind
  package var timestamp: Date

  package init(value: Double, kind: HRVKind = .sdnn, timestamp: Date) {
    self.value = value
    self.kind = kind
    self.timestamp = timestamp
  }
}
