import TachogramCore

/// A receiver of a corrected series, in order of time.
public protocol CorrectedIntervalSink {
  /// Appends the next interval. With `followsGap` it begins a new run.
  mutating func append(_ interval: CorrectedInterval, followsGap: Bool)
  /// Appends a gap: the raw interval at position `source`, from 0, which ended at `time`.
  mutating func appendGap(endingAt time: MonotonicTime, source: Int)
}
