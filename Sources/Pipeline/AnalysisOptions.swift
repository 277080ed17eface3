import TachogramCore

/// How a series is analysed.
package struct AnalysisOptions: Hashable, Sendable {
  /// How artifacts are found.
  package var artifacts = ArtifactMethod.segments
  /// Whether the report says which intervals they are.
  package var listsArtifacts = false
  /// Whether the 5-minute segments have all their metrics, and not those of the time domain only.
  package var detailsSegments = false
  /// Whether the report has the intervals themselves, for plots.
  package var keepsSeries = false
  /// What leaves too little to say.
  package var limits = ArtifactLimits()

  package init() {}
}
