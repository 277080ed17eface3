/// The share of a session's wall span that is covered by intervals in the range of a human heart.
public struct BeatCoverage: Hashable, Sendable {
  private var covered: BeatTimeline.Sixteenths = 0
  /// Greater than `last` while the span is empty.
  private var first = BeatTimeline.Sixteenths.max
  private var last = BeatTimeline.Sixteenths.min

  init() {}

  /// The share, 0 … 1; 0 while there is no beat.
  public var share: Double {
    guard last > first else { return 0 }
    return min(1, Double(covered) / Double(last - first))
  }

  /// The wall span in seconds.
  public var seconds: Double {
    guard last > first else { return 0 }
    return Double(last - first) / 16_000_000
  }

  /// Extends the span to `time`.
  mutating func extend(to time: BeatTimeline.Sixteenths) {
    first = min(first, time)
    last = max(last, time)
  }

  /// Adds intervals that end at `time` and cover `duration`.
  mutating func add(_ duration: BeatTimeline.Sixteenths, to time: BeatTimeline.Sixteenths) {
    covered += duration
    extend(to: time)
  }
}
