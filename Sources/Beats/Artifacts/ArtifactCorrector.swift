import TachogramCore

/// Finds and corrects artifacts in a series of intervals, run by run between gaps, by the selected method.
/// `ArtifactMethod.segments` decides on an interval when 45 further ones are known; the other methods decide on a run when it
/// is over. For all of them an interval above 3 s is a gap: it ends the run and is not replaced.
public struct ArtifactCorrector: Sendable {
  private var segments: SegmentCorrector
  /// Used instead of `segments` if not `nil`.
  private var runs: RunCorrector?

  /// Creates a corrector. With `listsPositions` it also records the positions of the artifacts.
  public init(method: ArtifactMethod = .segments, listsPositions: Bool = false) {
    let findings = ArtifactFindings(listsPositions: listsPositions)
    segments = SegmentCorrector(findings: findings)
    runs = RunRule(method).map { RunCorrector(rule: $0, findings: findings) }
  }

  /// The findings in the intervals decided on so far.
  public var findings: ArtifactFindings { runs?.findings ?? segments.findings }

  /// Appends the next raw interval, in ms, and passes the intervals that are now final to `output`. With `followsGap` it begins
  /// a new run.
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

  /// Ends the run, and passes its remaining intervals to `output`.
  public mutating func finish(into output: inout some CorrectedIntervalSink) {
    segments.finish(into: &output)
    runs?.finish(into: &output)
  }
}
