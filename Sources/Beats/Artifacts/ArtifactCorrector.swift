import TachogramCore

/// Finds artifacts in a series of intervals and mends them, one run between gaps after the other, by the method that was
/// asked for. `ArtifactMethod.segments` decides on an interval when 45 further ones are known; the other methods decide
/// on a run when it is over. By all of them an interval above 3 s is a gap: it ends the run, and nothing takes its place.
public struct ArtifactCorrector: Sendable {
  private var segments: SegmentCorrector
  /// Takes the place of `segments` where it is there.
  private var runs: RunCorrector?

  /// A corrector that has seen nothing yet. With `listsPositions` it also remembers which intervals it found.
  public init(method: ArtifactMethod = .segments, listsPositions: Bool = false) {
    let findings = ArtifactFindings(listsPositions: listsPositions)
    segments = SegmentCorrector(findings: findings)
    runs = RunRule(method).map { RunCorrector(rule: $0, findings: findings) }
  }

  /// What was found in the intervals that are decided on.
  public var findings: ArtifactFindings { runs?.findings ?? segments.findings }

  /// Takes the next raw interval, in ms, and gives what is final now to `output`. With `followsGap` it begins a new run.
  public mutating func append(
    _ milliseconds: Double, endingAt time: MonotonicTime, followsGap: Bool,
    into output: inout some CorrectedIntervalSink
  ) {
    if milliseconds > IntervalRange.longest {
      appendGap(endingAt: time, into: &output)
    } else if runs == nil {
      segments.append(milliseconds, endingAt: time, followsGap: followsGap, into: &output)
    } else {
      runs?.append(milliseconds, endingAt: time, followsGap: followsGap, into: &output)
    }
  }

  private mutating func appendGap(endingAt time: MonotonicTime, into output: inout some CorrectedIntervalSink) {
    if runs == nil {
      segments.appendGap(endingAt: time, into: &output)
    } else {
      runs?.appendGap(endingAt: time, into: &output)
    }
  }

  /// Ends the run: gives all that is left to `output`.
  public mutating func finish(into output: inout some CorrectedIntervalSink) {
    segments.finish(into: &output)
    runs?.finish(into: &output)
  }
}
