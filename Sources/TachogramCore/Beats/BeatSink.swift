/// A receiver of the events of a beat timeline, in order of time.
public protocol BeatSink {
  /// Appends the next beat.
  mutating func append(_ beat: Beat)
  /// Appends the next gap.
  mutating func append(_ gap: BeatGap)
}

extension [BeatEvent]: BeatSink {
  /// Appends a beat.
  public mutating func append(_ beat: Beat) { append(.beat(beat)) }

  /// Appends a gap.
  public mutating func append(_ gap: BeatGap) { append(.gap(gap)) }
}
