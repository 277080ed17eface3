import TachogramCore

/// How a series is analysed.
package struct AnalysisOptions: Hashable, Sendable {
  /// How artifacts are found.
  package var artifacts = ArtifactMethod.segments
  /// Whether the report says which intervals they are.
  package var listsArtifacts = false
  /// Whether the report has the 5-minute segments, each with all its metrics. They grow with the recording.
  package var keepsSegments = false
  /// Whether the report has the intervals themselves, for plots.
  package var keepsSeries = false
  /// What leaves too little to say.
  package var limits = ArtifactLimits()

  package init() {}
}
