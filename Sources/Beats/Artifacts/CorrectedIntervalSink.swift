/// Takes a corrected series, in order of time.
public protocol CorrectedIntervalSink {
  /// Takes the next interval; with `followsGap` it begins a new run.
  mutating func take(_ interval: CorrectedInterval, followsGap: Bool)
}
