/// How much of a session's wall span its intervals cover.
package struct BeatCoverage: Hashable, Sendable {
  private var covered: BeatTimeline.Sixteenths = 0
  private var first: BeatTimeline.Sixteenths?
  private var last: BeatTimeline.Sixteenths?

  init() {}

  /// The share, 0 … 1; 0 while there is no beat.
  package var share: Double {
    guard let first, let last, last > first else { return 0 }
    return min(1, Double(covered) / Double(last - first))
  }

  /// The wall span in seconds.
  package var seconds: Double {
    guard let first, let last else { return 0 }
    return Double(last - first) / 16_000_000
  }

  /// Lets the span reach to `time`.
  mutating func extend(to time: BeatTimeline.Sixteenths) {
    first = min(first ?? time, time)
    last = max(last ?? time, time)
  }

  mutating func add(_ duration: BeatTimeline.Sixteenths, to time: BeatTimeline.Sixteenths) {
    covered += duration
    extend(to: time)
  }
}
