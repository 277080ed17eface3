import TachogramCore

/// Collects the intervals of a run, and corrects the run as a whole when it is over.
struct RunCorrector: Sendable {
  private let rule: RunRule
  /// The raw intervals of the run, and when they ended.
  private var intervals: [Double] = []
  private var times: [MonotonicTime] = []
  /// The number of raw intervals in earlier runs.
  private var earlier = 0
  private(set) var findings: ArtifactFindings

  init(rule: RunRule, findings: ArtifactFindings = ArtifactFindings(listsPositions: false)) {
    self.rule = rule
    self.findings = findings
  }

  /// Appends the next raw interval, in ms. With `followsGap` it begins a new run, and the previous run is passed to `output`.
  mutating func append(
    _ milliseconds: Double, endingAt time: MonotonicTime, followsGap: Bool,
    into output: inout some CorrectedIntervalSink
  ) {
    if followsGap { finish(into: &output) }
    intervals.append(milliseconds)
    times.append(time)
  }

  /// Ends the run, and appends a raw interval that is a gap.
  mutating func appendGap(endingAt time: MonotonicTime, into output: inout some CorrectedIntervalSink) {
    finish(into: &output)
    findings.addGap(at: earlier)
    output.appendGap(endingAt: time, source: earlier)
    earlier += 1
  }

  /// Ends the run: corrects it, and passes it to `output`.
  mutating func finish(into output: inout some CorrectedIntervalSink) {
    let classes = rule.classes(of: intervals)
    for (index, beatClass) in classes.enumerated() { findings.add(beatClass, at: earlier + index) }
    var uncounted = 0
    for (index, mended) in rule.mended(intervals, classes).enumerated() {
      // The first of several parts of a raw interval gets all its covered time.
      let places = min(uncounted, mended.source + 1)..<(mended.source + 1)
      let covered = intervals[places].reduce(0.0) { $0 + (IntervalRange.human.contains($1) ? $1 : 0) }
      uncounted = mended.source + 1
      output.append(
        CorrectedInterval(
          milliseconds: mended.milliseconds, width: max(1, places.count), covered: covered,
          time: times[mended.source].advanced(byMilliseconds: mended.shift),
          beatClass: mended.beatClass, source: earlier + mended.source), followsGap: index == 0)
    }
    earlier += intervals.count
    intervals.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
  }
}
