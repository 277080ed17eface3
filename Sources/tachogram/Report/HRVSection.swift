import Pipeline
import TachogramCore

/// The section `hrv`.
struct HRVSection: Encodable {
  struct Corrected: Encodable {
    let unavailable: [String: String]
  }

  struct Window: Encodable {
    let lengthSeconds: Int
    let coverage: Double
    let artifactShare: Double
    let metrics: MetricsSection
  }

  let raw: MetricsSection
  let corrected: Corrected
  let windows: [Window]

  init(_ report: SeriesReport) {
    raw = MetricsSection(report.raw)
    corrected = Corrected(
      unavailable: Dictionary(uniqueKeysWithValues: HRVMetric.allCases.map { ($0.rawValue, Wording.noCorrection) }))
    windows = report.windows.map {
      Window(
        lengthSeconds: $0.length, coverage: $0.coverage, artifactShare: $0.artifactShare,
        metrics: MetricsSection($0.metrics))
    }
  }
}
