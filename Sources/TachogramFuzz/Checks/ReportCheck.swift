import HRV
import Pipeline
import StressKit
import TachogramCore
import TachogramTestKit

/// The invariants of every report: values are finite, shares are within 0 … 1, and the metrics match their definitions.
enum ReportCheck {
  /// The permitted rounding error of a value, as a share of it and in its own unit.
  private static let accuracy = (relative: 1e-9, absolute: 1e-6)

  static func check(_ series: SeriesReport) throws {
    try numbers(series.raw, "raw")
    try numbers(series.correction.metrics, "corrected")
    try share(series.correction.quality.irregularShare, "the share of irregular segments")
    try share(series.correction.quality.repeatedShare, "the share of segments that repeat themselves")
    try share(series.correction.quality.artifactShare, "the share of artifacts")
    try share(series.beats.coverage, "the coverage")
    for window in series.windows {
      try check(window.window)
      try numbers(window.raw, "raw window")
      try numbers(window.corrected, "corrected window")
    }
    for segment in series.segments.raw + series.segments.corrected {
      try numbers(segment.metrics, "segment \(segment.number)")
      try share(segment.coverage, "the coverage of segment \(segment.number)")
      try share(segment.artifactShare, "the artifacts of segment \(segment.number)")
    }
    if case .available(let result) = series.stress {
      try FuzzFinding.unless((0...100).contains(result.level), "the stress level is \(result.level)")
      try share(result.confidence, "the confidence")
    }
  }

  static func check(_ batch: SessionBatch) throws {
    for window in batch.windows { try check(window) }
    for artifact in batch.artifacts {
      try FuzzFinding.unless(
        batch.beats.indices.contains(Int(artifact.beat)), "an artifact of a beat that is not there: \(artifact)")
    }
    for measurement in batch.stress {
      try FuzzFinding.unless((0...100).contains(measurement.stressLevel), "stress of \(measurement.stressLevel)")
      try share(measurement.confidence, "the confidence")
    }
  }

  /// Compares the raw metrics of the whole with an independent computation of them over the beats of a session.
  static func checkRaw(_ series: SeriesReport, _ batch: SessionBatch) throws {
    let ended = Set(batch.gaps.map(\.ledgerSequence))
    var breaks: Set<Int> = []
    for (index, beat) in batch.beats.enumerated() where ended.contains(beat.ledgerSequence) {
      if index > 0, batch.beats[index - 1].ledgerSequence != beat.ledgerSequence { breaks.insert(index) }
    }
    try checkRaw(series, batch.beats.map(\.rr.milliseconds), breaks)
  }

  /// Compares the raw metrics with those of plain intervals in ms. `breaks` contains the indices of those that follow a gap.
  static func checkRaw(_ series: SeriesReport, _ intervals: [Double], _ breaks: Set<Int>) throws {
    let (found, wanted) = (series.raw.timeDomain, HRVBatch.metrics(of: intervals, breaksBefore: breaks))
    try FuzzFinding.unless(found.count == wanted.count, "\(found.count) intervals instead of \(wanted.count)")
    try FuzzFinding.unless(
      found.pairCount == wanted.pairCount, "\(found.pairCount) pairs instead of \(wanted.pairCount)")
    // Near the minimum duration of a metric, the two may disagree on whether it has a value.
    let isAtLimit = [10_000, 30_000, 60_000].contains { abs(wanted.duration - $0) < 1 }
    for metric in HRVMetric.timeDomain where !isAtLimit {
      guard let value = found[metric], let exact = wanted[metric] else {
        try FuzzFinding.unless(
          found[metric] == wanted[metric] || metric == .lnRMSSD,
          "\(metric): \(found[metric] as Any) instead of \(wanted[metric] as Any)")
        continue
      }
      let error = abs(value - exact)
      try FuzzFinding.unless(
        error <= accuracy.absolute || error <= accuracy.relative * abs(exact), "\(metric): \(value) instead of \(exact)"
      )
    }
  }

  private static func check(_ window: HRVWindow) throws {
    try share(window.coverage, "the coverage of \(window.length.seconds) s")
    try share(window.artifactShare, "the artifacts in \(window.length.seconds) s")
    try numbers(HRVMetrics(timeDomain: window.metrics), "\(window.length.seconds) s")
  }

  private static func share(_ value: Double, _ words: String) throws {
    try FuzzFinding.unless((0...1).contains(value), "\(words) is \(value)")
  }

  /// Checks that every metric has a finite value, or a reason for its absence.
  private static func numbers(_ metrics: HRVMetrics, _ words: String) throws {
    for metric in metrics.names {
      if let value = metrics[metric] {
        try FuzzFinding.unless(value.isFinite, "\(metric) (\(words)) is \(value)")
      } else {
        try FuzzFinding.unless(metrics.reason(for: metric) != nil, "\(metric) (\(words)) is missing without a reason")
      }
    }
  }
}
