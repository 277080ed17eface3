import TachogramCore

/// Corrects by `SegmentRule`, as the intervals come. What is said of an interval is final: it is said when 45 further ones
/// are known, or the run is over. Whether the intervals come one by one or all at once makes no difference.
struct SegmentCorrector: Sendable {
  /// Intervals behind one that are known before it is decided on.
  static let lookAhead = 45
  private static let roomy = 1024

  /// The factor from the median absolute value to the standard deviation of a normal distribution.
  private static let normalConsistency = 1.482_602_218_505_602

  private let rule: SegmentRule
  /// The raw intervals of the run from 45 before the one in question on, and when they ended.
  private var intervals: [Double] = []
  private var times: [MonotonicTime] = []
  /// Position of the first of them within the run, and of the one in question among them.
  private var position = 0
  /// The mended intervals before the one in question; only the last few count.
  private var mended: [Double] = []
  private var scale = SortedWindow(capacity: 2 * lookAhead + 2)
  /// Which differences are in `scale`, by the place of their second interval among `intervals`.
  private var window = 1..<1
  /// Raw intervals of all runs before the first that is kept.
  private var dropped = 0
  private(set) var findings: ArtifactFindings

  /// A corrector that has seen nothing yet.
  init(rule: SegmentRule = SegmentRule(), findings: ArtifactFindings = ArtifactFindings(listsPositions: false)) {
    self.rule = rule
    self.findings = findings
    intervals.reserveCapacity(Self.roomy)
    times.reserveCapacity(Self.roomy)
    mended.reserveCapacity(Self.roomy)
  }

  /// Takes the next raw interval, in ms, and gives what is final now to `output`. With `followsGap` it begins a new run.
  mutating func append(
    _ milliseconds: Double, endingAt time: MonotonicTime, followsGap: Bool,
    into output: inout some CorrectedIntervalSink
  ) {
    if followsGap { finish(into: &output) }
    intervals.append(milliseconds)
    times.append(time)
    while intervals.count - position > Self.lookAhead { decide(into: &output) }
    if intervals.count == Self.roomy { compact() }
  }

  /// Ends the run: gives all that is left to `output`.
  mutating func finish(into output: inout some CorrectedIntervalSink) {
    while position < intervals.count { decide(into: &output) }
    dropped += intervals.count
    intervals.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    mended.removeAll(keepingCapacity: true)
    scale.removeAll()
    (position, window) = (0, 1..<1)
  }

  // MARK: - Deciding

  private mutating func decide(into output: inout some CorrectedIntervalSink) {
    slideWindow()
    let end = min(intervals.count, position + SegmentRule.reach)
    let verdict = rule.verdict(
      following: intervals.span.extracting(position..<end),
      before: mended.span.extracting(max(0, mended.count - SegmentRule.neighbours)..<mended.count),
      scale: (scale.median ?? 0) * Self.normalConsistency)
    guard let verdict, position + verdict.kind.width <= intervals.count else {
      findings.add(.normal, at: dropped + position)
      give(intervals[position], at: times[position], .normal, into: &output)
      position += 1
      return
    }
    findings.add(verdict.kind.beatClass, at: dropped + position, count: verdict.kind.width)
    mend(verdict, into: &output)
    position += verdict.kind.width
  }

  private mutating func mend(_ verdict: SegmentHypothesis, into output: inout some CorrectedIntervalSink) {
    let (interval, time) = (intervals[position], times[position])
    switch verdict.kind {
    case .missed(let parts):
      let part = interval / Double(parts)
      for left in stride(from: parts - 1, through: 0, by: -1) {
        give(part, at: time.advanced(byMilliseconds: -Double(left) * part), .missed, into: &output)
      }
    case .extra:
      give(interval + intervals[position + 1], at: times[position + 1], .extra, source: position + 1, into: &output)
    case .ectopic:
      let half = (interval + intervals[position + 1]) / 2
      let end = times[position + 1]
      give(half, at: end.advanced(byMilliseconds: -half), .ectopic, into: &output)
      give(half, at: end, .ectopic, source: position + 1, into: &output)
    case .longShort:
      give(verdict.expected, at: time, .longShort, into: &output)
    }
  }

  private mutating func give(
    _ milliseconds: Double, at time: MonotonicTime, _ beatClass: BeatClass, source: Int? = nil,
    into output: inout some CorrectedIntervalSink
  ) {
    let isFirst = mended.isEmpty
    mended.append(milliseconds)
    if mended.count == Self.roomy { mended.removeFirst(Self.roomy - SegmentRule.neighbours) }
    output.take(
      CorrectedInterval(
        milliseconds: milliseconds, time: time, beatClass: beatClass,
        source: dropped + (source ?? position)), followsGap: isFirst)
  }

  // MARK: - The window of differences

  /// Lets the window be that of the interval in question: the differences up to 45 before and behind it.
  private mutating func slideWindow() {
    let wanted = max(1, position - Self.lookAhead)..<max(1, min(intervals.count, position + Self.lookAhead + 1))
    while window.lowerBound < wanted.lowerBound, window.upperBound < wanted.upperBound {
      scale.replace(step(window.lowerBound), with: step(window.upperBound))
      window = (window.lowerBound + 1)..<(window.upperBound + 1)
    }
    while window.upperBound < wanted.upperBound {
      scale.insert(step(window.upperBound))
      window = window.lowerBound..<(window.upperBound + 1)
    }
    while window.lowerBound < min(wanted.lowerBound, window.upperBound) {
      scale.remove(step(window.lowerBound))
      window = (window.lowerBound + 1)..<window.upperBound
    }
  }

  private func step(_ place: Int) -> Double {
    abs(intervals[place] - intervals[place - 1])
  }

  /// Forgets what lies behind the window.
  private mutating func compact() {
    let surplus = max(0, window.lowerBound - 1)
    intervals.removeFirst(surplus)
    times.removeFirst(surplus)
    position -= surplus
    window = (window.lowerBound - surplus)..<(window.upperBound - surplus)
    dropped += surplus
  }
}
