import HRV
import Pipeline
import Presentation
import TachogramCore

/// The section `hrv`.
package struct HRVSection: Encodable {
  struct Window: Encodable {
    let lengthSeconds: Int
    let coverage: Double
    let artifactShare: Double
    let raw: MetricsSection
    let corrected: MetricsSection
  }

  let raw: MetricsSection
  let corrected: MetricsSection
  /// The share of 5-minute segments with an irregular rhythm, 0 … 1.
  let irregularShare: Double
  /// The share of segments with repeated intervals, if there are any.
  let repeatedShare: Double?
  let windows: [Window]
  let segments: SegmentsSection?

  /// Creates the section, including the 5-minute segments if `withSegments` is `true`.
  init(_ report: SeriesReport, withSegments: Bool) {
    raw = MetricsSection(report.raw)
    corrected = MetricsSection(report.correction.metrics)
    let quality = report.correction.quality
    irregularShare = quality.irregularShare
    repeatedShare = quality.repeatedShare > 0 ? quality.repeatedShare : nil
    windows = report.windows.map {
      Window(
        lengthSeconds: $0.window.length.seconds, coverage: $0.window.coverage, artifactShare: $0.window.artifactShare,
        raw: MetricsSection($0.raw), corrected: MetricsSection($0.corrected))
    }
    segments = withSegments ? SegmentsSection(report.segments) : nil
  }
}
