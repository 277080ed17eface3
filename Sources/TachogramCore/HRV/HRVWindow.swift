/// The metrics of a sliding window at one instant, with its coverage and artifact share.
package struct HRVWindow: Hashable, Sendable {
  package var length: WindowLength
  /// The end of the window.
  package var end: MonotonicTime
  /// The share of the window's wall span that is covered by RR intervals, 0 … 1.
  package var coverage: Double
  /// The share of its beats that are doubtful, 0 … 1.
  package var artifactShare: Double
  package var metrics: TimeDomainMetrics

  @inlinable
  package init(
    length: WindowLength, end: MonotonicTime, coverage: Double, artifactShare: Double, metrics: TimeDomainMetrics,
  ) {
    self.length = length
    self.end = end
    self.coverage = coverage
    self.artifactShare = artifactShare
    self.metrics = metrics
  }
}
