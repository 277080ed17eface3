/// Takes what the beat timeline emits, in order of time.
public protocol BeatSink {
  /// Takes the next beat.
  mutating func take(_ beat: Beat)
  /// Takes the next gap.
  mutating func take(_ gap: BeatGap)
}

extension [BeatEvent]: BeatSink {
  /// Appends a beat.
  public mutating func take(_ beat: Beat) { append(.beat(beat)) }

  /// Appends a gap.
  public mutating func take(_ gap: BeatGap) { append(.gap(gap)) }
}
