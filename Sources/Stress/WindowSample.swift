import FoundationEssentials
import TachogramCore

/// The metrics of a window that counts for a baseline.
package struct WindowSample: Hashable, Sendable {
  /// When the window ended.
  package var timestamp: Date
  package var metrics: TimeDomainMetrics

  package init(timestamp: Date, metrics: TimeDomainMetrics) {
    self.timestamp = timestamp
    self.metrics = metrics
  }
}
