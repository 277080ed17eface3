import TachogramCore

/// Takes a corrected series, in order of time.
public protocol CorrectedIntervalSink {
  /// Takes the next interval; with `followsGap` it begins a new run.
  mutating func append(_ interval: CorrectedInterval, followsGap: Bool)
  /// Takes a gap in its place: the raw interval at position `source`, from 0, is one, and ended at `time`.
  mutating func appendGap(endingAt time: MonotonicTime, source: Int)
}
