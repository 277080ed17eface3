import TachogramCore

/// The options of the analysis of a series.
package struct AnalysisOptions: Hashable, Sendable {
  /// The method of artifact correction.
  package var artifacts = ArtifactMethod.segments
  /// Whether the report lists the intervals that are artifacts.
  package var listsArtifacts = false
  /// Whether the report includes the 5-minute segments with all their metrics. Their memory grows with the recording.
  package var keepsSegments = false
  /// Whether the report includes the intervals, for plots.
  package var keepsSeries = false
  /// The limits above which metrics are refused.
  package var limits = ArtifactLimits()

  package init() {}
}
