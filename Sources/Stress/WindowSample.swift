import FoundationEssentials
import TachogramCore

/// The metrics of a window that contributes to a baseline.
package struct WindowSample: Hashable, Sendable {
  /// The end of the window.
  package var timestamp: Date
  package var metrics: TimeDomainMetrics

  package init(timestamp: Date, metrics: TimeDomainMetrics) {
    self.timestamp = timestamp
    self.metrics = metrics
  }
}
