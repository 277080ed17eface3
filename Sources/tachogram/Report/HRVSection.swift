import Pipeline
import TachogramCore

/// The section `hrv`.
struct HRVSection: Encodable {
  /// The share of artifacts beyond which a corrected series says too little.
  private static let mostArtifacts = 0.2

  struct Window: Encodable {
    let lengthSeconds: Int
    let coverage: Double
    let artifactShare: Double
    let metrics: MetricsSection
  }

  let raw: MetricsSection
  let corrected: MetricsSection
  let windows: [Window]

  init(_ report: SeriesReport) {
    raw = MetricsSection(report.raw)
    let share = report.correction.counts.artifactShare
    corrected = MetricsSection(
      report.correction.metrics,
      refusal: share > Self.mostArtifacts ? .tooManyArtifacts(share: share, limit: Self.mostArtifacts) : nil)
    windows = report.windows.map {
      Window(
        lengthSeconds: $0.length, coverage: $0.coverage, artifactShare: $0.artifactShare,
        metrics: MetricsSection($0.metrics))
    }
  }
}
