import TachogramCore

/// Corrects intervals by `SegmentRule` as they are appended. The decision on an interval is final: it is made when 45 further
/// ones are known, or when the run is over. The result does not depend on whether intervals are appended one by one or all at
/// once.
struct SegmentCorrector: Sendable {
  /// The number of later intervals that are known before an interval is decided on.
  static let lookAhead = 45
  private static let roomy = 1024

  private let rule: SegmentRule
  /// The raw intervals of the run from at least 45 before the current one on, as far as there are any, and their end times.
  private var intervals: [Double] = []
  private var times: [MonotonicTime] = []
  /// The absolute difference of each of them from the previous one in the range of a human heart. An interval out of that range
  /// repeats the previous difference. The first difference of a run is 0, and is not used.
  private var differences: [Double] = []
  /// The last of them in the range of a human heart.
  private var lastInRange: Double?
  /// The index of the current interval among them.
  private var position = 0
  /// The corrected intervals in that range before the current one. Only the last few are used.
  private var mended: [Double] = []
  /// Whether the next interval passed to the output is the first of its run.
  private var isFirst = true
  /// The number of raw intervals before the first that is kept.
  private var dropped = 0
  private(set) var findings: ArtifactFindings

  /// Creates a corrector.
  init(rule: SegmentRule = SegmentRule(), findings: ArtifactFindings = ArtifactFindings(listsPositions: false)) {
    self.rule = rule
    self.findings = findings
    intervals.reserveCapacity(Self.roomy)
    times.reserveCapacity(Self.roomy)
    differences.reserveCapacity(Self.roomy)
    mended.reserveCapacity(Self.roomy)
  }

  /// Appends the next raw interval, in ms, and passes the intervals that are now final to `output`. With `followsGap` it begins
  /// a new run.
  mutating func append(
    _ milliseconds: Double, endingAt time: MonotonicTime, followsGap: Bool,
    into output: inout some CorrectedIntervalSink
  ) {
    if followsGap { finish(into: &output) }
    if IntervalRange.human.contains(milliseconds) {
      differences.append(lastInRange.map { abs(milliseconds - $0) } ?? 0)
      lastInRange = milliseconds
    } else {
      differences.append(differences.last ?? 0)
    }
    intervals.append(milliseconds)
    times.append(time)
    while intervals.count - position > Self.lookAhead { decide(into: &output) }
    if intervals.count == Self.roomy { compact() }
  }

  /// Ends the run, and appends a raw interval that is a gap.
  mutating func appendGap(endingAt time: MonotonicTime, into output: inout some CorrectedIntervalSink) {
    finish(into: &output)
    findings.addGap(at: dropped)
    output.appendGap(endingAt: time, source: dropped)
    dropped += 1
  }

  /// Ends the run, and passes its remaining intervals to `output`.
  mutating func finish(into output: inout some CorrectedIntervalSink) {
    while position < intervals.count { decide(into: &output) }
    dropped += intervals.count
    intervals.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    differences.removeAll(keepingCapacity: true)
    mended.removeAll(keepingCapacity: true)
    position = 0
    lastInRange = nil
    isFirst = true
  }

  // MARK: - Deciding

  private mutating func decide(into output: inout some CorrectedIntervalSink) {
    let end = min(intervals.count, position + SegmentRule.reach)
    let verdict = rule.verdict(
      following: intervals.span.extracting(position..<end),
      before: mended.span.extracting(max(0, mended.count - SegmentRule.neighbours)..<mended.count),
      differences: differences.span.extracting(around))
    guard let verdict, position + verdict.kind.width <= intervals.count else {
      findings.add(.normal, at: dropped + position)
      let interval = intervals[position]
      give(interval, covering: Self.covered(interval), at: times[position], .normal, into: &output)
      position += 1
      return
    }
    findings.add(verdict.kind.beatClass, at: dropped + position, count: verdict.kind.width)
    mend(verdict, into: &output)
    position += verdict.kind.width
  }

  private mutating func mend(_ verdict: SegmentHypothesis, into output: inout some CorrectedIntervalSink) {
    let (interval, time) = (intervals[position], times[position])
    let covered = Self.covered(interval)
    switch verdict.kind {
    case .missed(let parts):
      let part = interval / Double(parts)
      for left in stride(from: parts - 1, through: 0, by: -1) {
        give(
          part, covering: covered / Double(parts), at: time.advanced(byMilliseconds: -Double(left) * part), .missed,
          into: &output)
      }
    case .extra:
      give(
        interval + intervals[position + 1], covering: covered + Self.covered(intervals[position + 1]),
        at: times[position + 1], .extra, source: position + 1, width: 2, into: &output)
    case .ectopic:
      let half = (interval + intervals[position + 1]) / 2
      let end = times[position + 1]
      give(half, covering: covered, at: end.advanced(byMilliseconds: -half), .ectopic, into: &output)
      give(
        half, covering: Self.covered(intervals[position + 1]), at: end, .ectopic, source: position + 1, into: &output)
    case .longShort:
      give(verdict.expected, covering: covered, at: time, .longShort, into: &output)
    }
  }

  /// Returns the time that a raw interval covers, in ms; 0 if it is out of the range of a human heart.
  @inline(__always)
  private static func covered(_ interval: Double) -> Double {
    IntervalRange.human.contains(interval) ? interval : 0
  }

  private mutating func give(
    _ milliseconds: Double, covering covered: Double, at time: MonotonicTime, _ beatClass: BeatClass,
    source: Int? = nil, width: Int = 1, into output: inout some CorrectedIntervalSink
  ) {
    defer { isFirst = false }
    if IntervalRange.human.contains(milliseconds) { mended.append(milliseconds) }
    if mended.count == Self.roomy { mended.removeFirst(Self.roomy - SegmentRule.neighbours) }
    output.append(
      CorrectedInterval(
        milliseconds: milliseconds, width: width, covered: covered, time: time, beatClass: beatClass,
        source: dropped + (source ?? position)), followsGap: isFirst)
  }

  // MARK: - Neighbours

  /// The indices of the differences around the current interval: up to 45 before it, its own, and up to 45 after it.
  private var around: Range<Int> {
    let first = max(1, position - Self.lookAhead)
    return first..<max(first, min(intervals.count, position + Self.lookAhead + 1))
  }

  /// Removes the values before the differences around the current interval.
  private mutating func compact() {
    let surplus = max(0, position - Self.lookAhead - 1)
    intervals.removeFirst(surplus)
    times.removeFirst(surplus)
    differences.removeFirst(surplus)
    position -= surplus
    dropped += surplus
  }
}
