import TachogramCore

/// The 5-minute segments of a series, one behind the other from where its first interval begins. An interval belongs to
/// the segment in which it ends; a segment is complete when an interval ends behind it, and nothing reaches over its ends.
package struct SegmentSeries: Sendable {
  /// One complete segment.
  package struct Segment: Hashable, Sendable {
    /// From 0; the segment begins so many lengths behind the start of the series.
    package let number: Int
    package let metrics: HRVMetrics
    /// The share of the segment that its intervals cover, 0 … 1.
    package let coverage: Double
    /// The share of its intervals that were mended or are doubtful, 0 … 1.
    package let artifactShare: Double
    package let isIrregular: Bool
  }

  /// In seconds.
  package static let length = 300
  /// Intervals must cover this share of a segment for it to count in what compares segments.
  private static let leastCoverage = 0.5
  private static let fewestSegments = 2

  /// Those that are complete and have intervals.
  package private(set) var segments: [Segment] = []
  private let isDetailed: Bool
  private let limits: ArtifactLimits?
  private var start: MonotonicTime?
  private var number = 0
  /// Between these two end the intervals of the segment: from the first on, before the second.
  private var bounds = (from: MonotonicTime(microseconds: .max), to: MonotonicTime(microseconds: .min))
  private var sums = TimeDomainAccumulator()
  private var series = NNSeries()
  private var artifacts = 0
  private var last: NNInterval?

  /// With `isDetailed` each segment has all its metrics, else those of the time domain. Without `limits`, values are given
  /// whatever the artifacts.
  package init(isDetailed: Bool, limits: ArtifactLimits?) {
    self.isDetailed = isDetailed
    self.limits = limits
  }

  /// The number of the segment in which an interval of a series from `start` on ends.
  package static func number(of end: MonotonicTime, since start: MonotonicTime) -> Int {
    Int(max(0, end.microseconds(since: start)) / (Int64(length) * 1_000_000))
  }

  /// Adds the next interval.
  @inline(__always)
  package mutating func add(_ interval: TimedInterval) {
    if interval.end < bounds.from || interval.end >= bounds.to { enterSegment(of: interval) }
    let nn = interval.nn
    sums.add(nn, after: interval.followsGap || interval.isMended ? nil : last)
    last = interval.isMended ? nil : nn
    artifacts += interval.isArtifact ? 1 : 0
    series.append(nn.milliseconds, followsGap: interval.followsGap)
  }

  /// Completes the segment and begins the one of `interval`, where that is another one.
  private mutating func enterSegment(of interval: TimedInterval) {
    let start = self.start ?? interval.start
    self.start = start
    let current = Self.number(of: interval.end, since: start)
    if current != number {
      if series.count > 0 { segments.append(segment()) }
      number = current
      (sums, artifacts, last) = (TimeDomainAccumulator(), 0, nil)
      series.removeAll()
    }
    let length = Int64(Self.length) * 1_000_000
    let begin = start.advanced(byMicroseconds: Int64(current) * length)
    bounds = (current == 0 ? MonotonicTime(microseconds: .min) : begin, begin.advanced(byMicroseconds: length))
  }

  private func segment() -> Segment {
    var metrics = HRVMetrics(timeDomain: sums.metrics())
    if isDetailed {
      var accumulator = SeriesAccumulator()
      accumulator.add(series)
      let span = Double(Self.length) * 1000
      let isFilled = sums.duration + sums.duration / Double(series.count) >= span
      metrics = accumulator.metrics(timeDomain: metrics.timeDomain, span: isFilled ? span : 0)
    }
    let artifactShare = Double(artifacts) / Double(series.count)
    let isIrregular = limits != nil && RhythmJudge.isIrregular(series)
    if let limits {
      metrics.judge(artifactShare: artifactShare, irregularShare: isIrregular ? 1 : 0, limits: limits)
    }
    return Segment(
      number: number, metrics: metrics, coverage: min(1, sums.duration / (Double(Self.length) * 1000)),
      artifactShare: artifactShare, isIrregular: isIrregular)
  }

  // MARK: - What compares segments

  /// The sample standard deviation of the mean intervals of the segments, in ms.
  package var sdann: Measured {
    let means = wellCovered.compactMap { $0.metrics[.meanNN] }
    guard means.count >= Self.fewestSegments, let moments = SampleMoments(means) else { return tooFew(means.count) }
    return .value(moments.deviation)
  }

  /// The mean of the SDNN of the segments, in ms.
  package var sdnnIndex: Measured {
    let deviations = wellCovered.compactMap { $0.metrics[.sdnn] }
    guard deviations.count >= Self.fewestSegments else { return tooFew(deviations.count) }
    return .value(deviations.reduce(0, +) / Double(deviations.count))
  }

  /// The share of irregular segments, 0 … 1; of the intervals that are no complete segment where there is none yet.
  package var irregularShare: Double {
    if segments.isEmpty { return RhythmJudge.isIrregular(series) ? 1 : 0 }
    return Double(segments.count { $0.isIrregular }) / Double(segments.count)
  }

  private var wellCovered: [Segment] { segments.filter { $0.coverage >= Self.leastCoverage } }

  private func tooFew(_ count: Int) -> Measured {
    .missing(.tooFewSegments(count: count, minimum: Self.fewestSegments))
  }
}
