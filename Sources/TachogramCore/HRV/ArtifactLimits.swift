/// The shares of a series, 0 … 1, above which its faults make a metric unreliable.
package struct ArtifactLimits: Hashable, Sendable {
  /// The limit of artifacts for metrics of order and timing: the spectrum and DFA.
  package var ofOrder = 0.05
  /// The limit of artifacts for all other metrics.
  package var other = 0.2
  /// The limit of segments whose rhythm is irregular, and of segments whose intervals repeat themselves. Neither can be
  /// corrected.
  package var irregular = 0.05

  package init() {}

  /// Returns the limit of artifacts for a metric.
  package func limit(for metric: HRVMetric) -> Double { metric.isOfOrder ? ofOrder : other }
}
