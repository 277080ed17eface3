/// The shares of a series, 0 … 1, beyond which what is wrong with it leaves too little to say.
package struct ArtifactLimits: Hashable, Sendable {
  /// Of intervals that are artifacts, for metrics of order and timing: the spectrum and DFA.
  package var ofOrder = 0.05
  /// Of intervals that are artifacts, for all else.
  package var other = 0.2
  /// Of segments whose rhythm is irregular, and of those whose intervals repeat themselves: nothing mends either.
  package var irregular = 0.05

  package init() {}

  /// The limit of artifacts for a metric.
  package func limit(for metric: HRVMetric) -> Double { metric.isOfOrder ? ofOrder : other }
}
