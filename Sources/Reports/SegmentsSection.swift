import HRV
import Pipeline
import Presentation
import Statistics
import TachogramCore

/// The section `segments`: the complete 5-minute segments of a recording.
struct SegmentsSection: Encodable {
  struct Segment: Encodable {
    let startSeconds: Int
    let coverage: Double
    let artifactShare: Double
    let irregular: Bool
    /// `true` if the intervals are repeated, else absent.
    let repeated: Bool?
    let raw: MetricsSection
    let corrected: MetricsSection
  }

  struct Summary: Encodable {
    /// The medians over the segments that have the metric.
    let median: [String: Double]
  }

  let lengthSeconds: Int
  let count: Int
  let raw: Summary
  let corrected: Summary
  let each: [Segment]

  init(_ segments: SeriesReport.Segments) {
    lengthSeconds = SegmentSeries.length
    raw = Summary(median: Self.medians(segments.raw))
    corrected = Summary(median: Self.medians(segments.corrected))
    let raw = Dictionary(segments.raw.map { ($0.number, $0) }) { first, _ in first }
    each = segments.corrected.compactMap { segment in
      guard let uncorrected = raw[segment.number] else { return nil }
      return Segment(
        startSeconds: segment.number * SegmentSeries.length, coverage: segment.coverage,
        artifactShare: segment.artifactShare, irregular: segment.isIrregular,
        repeated: segment.isRepeated ? true : nil, raw: MetricsSection(uncorrected.metrics),
        corrected: MetricsSection(segment.metrics))
    }
    count = each.count
  }

  private static func medians(_ segments: [SegmentSeries.Segment]) -> [String: Double] {
    var medians: [String: Double] = [:]
    for metric in HRVMetric.timeDomain + HRVMetric.ofSeries {
      let values = segments.compactMap { $0.metrics[metric] }.sorted()
      medians[metric.rawValue] = Quantile.ofSorted(values, at: 0.5)
    }
    return medians
  }
}
