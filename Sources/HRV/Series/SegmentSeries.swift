import Statistics
import TachogramCore

/// The consecutive 5-minute segments of a series, from the start of its first interval. An interval belongs to the segment in
/// which it ends. A segment is complete when an interval ends after it, and nothing is computed across its bounds.
package struct SegmentSeries: Sendable {
  /// One complete segment.
  package struct Segment: Hashable, Sendable {
    /// The number of the segment, from 0: the number of segment lengths between the start of the series and its start.
    package let number: Int
    package let metrics: HRVMetrics
    /// The share of the segment that intervals in the range of a human heart cover, 0 … 1.
    package let coverage: Double
    /// The quality of its intervals.
    package let quality: StretchQuality
    package let rhythm: Rhythm

    /// The share of its intervals that are unreliable, 0 … 1.
    package var artifactShare: Double { quality.artifactShare }
    package var isIrregular: Bool { rhythm == .irregular }
    package var isRepeated: Bool { rhythm == .repeated }
  }

  /// The length of a segment in seconds.
  package static let length = 300
  /// The minimum coverage of a segment that is included in metrics comparing segments.
  private static let leastCoverage = 0.5
  private static let fewestSegments = 2

  /// The number of remembered segments without a plausible rhythm: more than a window of `length` seconds overlaps.
  private static let rememberedStretches = 4

  /// The complete segments that have intervals; empty unless segments are kept. All other results are stored as sums, and as
  /// one number for each segment.
  package private(set) var segments: [Segment] = []
  /// The last segments without a plausible rhythm, the earliest first.
  package private(set) var judgedStretches: [JudgedStretch] = []
  private var keepsSegments: Bool
  private let limits: ArtifactLimits?
  private var start: MonotonicTime?
  private var number = 0
  /// The bounds of the ends of the segment's intervals: from the first inclusive to the second exclusive.
  private var bounds = (from: MonotonicTime(microseconds: .max), to: MonotonicTime(microseconds: .min))
  private var sums = TimeDomainAccumulator()
  private var series = NNSeries()
  private var artifacts = 0
  /// The number of intervals that those of the segment count as, including gaps (intervals above 3 s).
  private var total = 0
  /// The time that its intervals do not cover, in units of 2⁻³² ms.
  private var uncovered: Int64 = 0
  private var last: NNInterval?
  /// The quality of all complete segments together.
  private var completed = StretchQuality(total: 0, artifacts: 0)
  /// The number of complete segments that have intervals, and how many of these are irregular or repeat themselves.
  private var completedCount = 0
  private var irregularCount = 0
  private var repeatedCount = 0
  /// The mean intervals of the segments with sufficient coverage, in ms, in order. They are stored because their deviation
  /// requires two passes.
  private var means: [Double] = []
  /// The sum of the SDNN, in ms, and the number of the segments with sufficient coverage that have an SDNN.
  private var deviations = (sum: 0.0, count: 0)

  /// Creates an empty series. With `keepsSegments`, all segments are kept with all their metrics. Without `limits`, values are
  /// returned whatever the artifacts.
  package init(keepsSegments: Bool, limits: ArtifactLimits?) {
    self.keepsSegments = keepsSegments
    self.limits = limits
  }

  /// Returns the number of the segment that contains `end`, in a series that begins at `start`.
  package static func number(of end: MonotonicTime, since start: MonotonicTime) -> Int {
    Int(max(0, end.microseconds(since: start)) / (Int64(length) * 1_000_000))
  }

  /// Sets the start of the series. The default is the start of its first interval.
  package mutating func begin(at start: MonotonicTime) {
    self.start = start
  }

  /// Appends the next interval.
  @inline(__always)
  package mutating func add(_ interval: TimedInterval) {
    if interval.end < bounds.from || interval.end >= bounds.to {
      enterSegment(at: interval.end, startingAt: interval.start)
    }
    let nn = interval.nn
    // Metrics of pairs are only needed if segments are kept.
    sums.add(nn, after: interval.followsGap || interval.isMended || !keepsSegments ? nil : last)
    last = interval.isMended ? nil : nn
    total += interval.width
    artifacts += interval.isArtifact ? interval.width : 0
    uncovered &+= interval.uncovered
    series.append(nn.milliseconds, followsGap: interval.followsGap)
  }

  /// Appends a gap, an interval above 3 s. It belongs to the segment in which it ended, and counts as an artifact.
  package mutating func addGap(endingAt end: MonotonicTime) {
    if end < bounds.from || end >= bounds.to { enterSegment(at: end, startingAt: end) }
    artifacts += 1
    total += 1
    last = nil
  }

  /// Begins the segment in which an interval ends, and completes the current one if it is a different one.
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

  /// The quality of the series. The intervals of irregular segments are unreliable; if no segment is complete, the rhythm of
  /// the whole series is used instead. The same rule determines the share of repeated intervals.
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

  /// Returns `judgedStretches` after further intervals are appended, without changing the series.
  package func judgedStretches(with tail: [TimedInterval]) -> [JudgedStretch] {
    guard let last = tail.last, last.end >= bounds.to else { return judgedStretches }
    var series = self
    // Only the rhythm is needed.
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
