import Statistics
import TachogramCore

/// The 5-minute segments of a series, one behind the other from where its first interval begins. An interval belongs to
/// the segment in which it ends; a segment is complete when an interval ends behind it, and nothing reaches over its ends.
package struct SegmentSeries: Sendable {
  /// One complete segment.
  package struct Segment: Hashable, Sendable {
    /// From 0; the segment begins so many lengths behind the start of the series.
    package let number: Int
    package let metrics: HRVMetrics
    /// The share of the segment that intervals in the range of a human heart cover, 0 … 1.
    package let coverage: Double
    /// How far its intervals can be trusted.
    package let quality: StretchQuality
    package let rhythm: Rhythm

    /// The share of its intervals that cannot be trusted, 0 … 1.
    package var artifactShare: Double { quality.artifactShare }
    package var isIrregular: Bool { rhythm == .irregular }
    package var isRepeated: Bool { rhythm == .repeated }
  }

  /// In seconds.
  package static let length = 300
  /// Intervals must cover this share of a segment for it to count in what compares segments.
  private static let leastCoverage = 0.5
  private static let fewestSegments = 2

  /// How many of the segments that have no plausible rhythm are remembered: more than a window of `length` seconds reaches into.
  private static let rememberedStretches = 4

  /// Those that are complete and have intervals; empty unless they are kept. All else is kept of them as sums, and as one
  /// number a segment.
  package private(set) var segments: [Segment] = []
  /// When the last of those that have no plausible rhythm were, the earliest first.
  package private(set) var judgedStretches: [JudgedStretch] = []
  private var keepsSegments: Bool
  private let limits: ArtifactLimits?
  private var start: MonotonicTime?
  private var number = 0
  /// Between these two end the intervals of the segment: from the first on, before the second.
  private var bounds = (from: MonotonicTime(microseconds: .max), to: MonotonicTime(microseconds: .min))
  private var sums = TimeDomainAccumulator()
  private var series = NNSeries()
  private var artifacts = 0
  /// For how many intervals those of the segment count, and the gaps that intervals above 3 s are.
  private var total = 0
  /// The time that its intervals do not cover, in units of 2⁻³² ms.
  private var uncovered: Int64 = 0
  private var last: NNInterval?
  /// Of all complete segments together.
  private var completed = StretchQuality(total: 0, artifacts: 0)
  /// How many segments are complete and have intervals, how many of these are irregular, and how many repeat themselves.
  private var completedCount = 0
  private var irregularCount = 0
  private var repeatedCount = 0
  /// The mean intervals of those that intervals cover by half, in ms, in order: their deviation takes two passes.
  private var means: [Double] = []
  /// Of those that intervals cover by half and that have an SDNN, the sum of it, in ms.
  private var deviations = (sum: 0.0, count: 0)

  /// With `keepsSegments` all segments are kept, each with all its metrics. Without `limits`, values are given whatever the
  /// artifacts.
  package init(keepsSegments: Bool, limits: ArtifactLimits?) {
    self.keepsSegments = keepsSegments
    self.limits = limits
  }

  /// The number of the segment in which an interval of a series from `start` on ends.
  package static func number(of end: MonotonicTime, since start: MonotonicTime) -> Int {
    Int(max(0, end.microseconds(since: start)) / (Int64(length) * 1_000_000))
  }

  /// Sets when the series begins; else it does where its first interval begins.
  package mutating func begin(at start: MonotonicTime) {
    self.start = start
  }

  /// Adds the next interval.
  @inline(__always)
  package mutating func add(_ interval: TimedInterval) {
    if interval.end < bounds.from || interval.end >= bounds.to {
      enterSegment(at: interval.end, startingAt: interval.start)
    }
    let nn = interval.nn
    // Of segments that are not kept no metric is asked for that pairs are in.
    sums.add(nn, after: interval.followsGap || interval.isMended || !keepsSegments ? nil : last)
    last = interval.isMended ? nil : nn
    total += interval.width
    artifacts += interval.isArtifact ? interval.width : 0
    uncovered &+= interval.uncovered
    series.append(nn.milliseconds, followsGap: interval.followsGap)
  }

  /// Adds a gap that an interval above 3 s is. It belongs to the segment in which it ended, and counts as an artifact.
  package mutating func addGap(endingAt end: MonotonicTime) {
    if end < bounds.from || end >= bounds.to { enterSegment(at: end, startingAt: end) }
    artifacts += 1
    total += 1
    last = nil
  }

  /// Completes the segment and begins the one in which an interval ends, where that is another one.
  private mutating func enterSegment(at end: MonotonicTime, startingAt begin: MonotonicTime) {
    let start = self.start ?? begin
    self.start = start
    let current = Self.number(of: end, since: start)
    if current != number {
      if total > 0 { complete() }
      number = current
      (sums, artifacts, total, uncovered, last) = (TimeDomainAccumulator(), 0, 0, 0, nil)
      series.removeAll()
    }
    let length = Int64(Self.length) * 1_000_000
    let first = start.advanced(byMicroseconds: Int64(current) * length)
    bounds = (current == 0 ? MonotonicTime(microseconds: .min) : first, first.advanced(byMicroseconds: length))
  }

  private mutating func complete() {
    let segment = segment()
    if keepsSegments { segments.append(segment) }
    completed.add(segment.quality)
    completedCount += 1
    irregularCount += segment.isIrregular ? 1 : 0
    repeatedCount += segment.isRepeated ? 1 : 0
    if segment.rhythm != .plausible {
      if judgedStretches.count == Self.rememberedStretches { judgedStretches.removeFirst() }
      judgedStretches.append(JudgedStretch(span: bounds.from..<bounds.to, rhythm: segment.rhythm))
    }
    guard segment.coverage >= Self.leastCoverage else { return }
    if let mean = segment.metrics[.meanNN] { means.append(mean) }
    if let deviation = segment.metrics[.sdnn] { deviations = (deviations.sum + deviation, deviations.count + 1) }
  }

  private func segment() -> Segment {
    var metrics = HRVMetrics(timeDomain: sums.metrics())
    let span = Double(Self.length) * 1000
    if keepsSegments {
      var accumulator = SeriesAccumulator()
      accumulator.add(series)
      let isFilled = series.count > 0 && sums.duration + sums.duration / Double(series.count) >= span
      metrics = accumulator.metrics(timeDomain: metrics.timeDomain, span: isFilled ? span : 0)
    }
    var quality = StretchQuality(total: total, artifacts: artifacts)
    let rhythm = limits == nil ? .plausible : RhythmJudge.rhythm(of: series, artifacts: artifacts)
    quality.set(rhythm)
    if let limits { metrics.judge(quality, limits: limits) }
    let covered = sums.duration - NNInterval.milliseconds(fixedPoint: uncovered)
    return Segment(
      number: number, metrics: metrics, coverage: min(1, max(0, covered / span)), quality: quality,
      rhythm: rhythm)
  }

  // MARK: - What can be trusted

  /// How far the series can be trusted: the intervals of its irregular segments cannot, nor all of them where there is no
  /// complete segment and the whole is irregular. So it is with what repeats itself.
  package var quality: StretchQuality {
    var quality = completed
    var rest = StretchQuality(total: total, artifacts: artifacts)
    if completedCount == 0 {
      if limits != nil { rest.set(RhythmJudge.rhythm(of: series, artifacts: artifacts)) }
      return rest
    }
    quality.add(rest)
    quality.irregularShare = Double(irregularCount) / Double(completedCount)
    quality.repeatedShare = Double(repeatedCount) / Double(completedCount)
    return quality
  }

  /// `judgedStretches` as they would be with these intervals behind the last one.
  package func judgedStretches(with tail: [TimedInterval]) -> [JudgedStretch] {
    guard let last = tail.last, last.end >= bounds.to else { return judgedStretches }
    var series = self
    // Only its rhythm is asked for.
    (series.keepsSegments, series.segments, series.means) = (false, [], [])
    for interval in tail { series.add(interval) }
    return series.judgedStretches
  }

  // MARK: - What compares segments

  /// The sample standard deviation of the mean intervals of the segments, in ms.
  package var sdann: Measured {
    guard means.count >= Self.fewestSegments, let moments = SampleMoments(means) else { return tooFew(means.count) }
    return .value(moments.deviation)
  }

  /// The mean of the SDNN of the segments, in ms.
  package var sdnnIndex: Measured {
    guard deviations.count >= Self.fewestSegments else { return tooFew(deviations.count) }
    return .value(deviations.sum / Double(deviations.count))
  }

  private func tooFew(_ count: Int) -> Measured {
    .missing(.tooFewSegments(count: count, minimum: Self.fewestSegments))
  }
}
