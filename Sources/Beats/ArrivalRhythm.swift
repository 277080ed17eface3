/// How often a strap notifies, learnt from the arrivals that nothing is wrong with. Most straps do so once a second, some once
/// a beat. Times are in sixteenths of a microsecond.
struct ArrivalRhythm: Sendable {
  /// Arrivals before the rhythm counts as known; the longest of their intervals begins it, since a late first notification
  /// makes the interval behind it too short.
  private static let warmUp = 3

  private var typical: BeatTimeline.Sixteenths = 0
  private var count = 0

  /// Takes the interval between two arrivals.
  mutating func learn(_ interval: BeatTimeline.Sixteenths) {
    count += 1
    if count <= Self.warmUp {
      typical = max(typical, interval)
    } else {
      typical += (min(interval, typical * 2) - typical) / 8
    }
  }

  /// Whether an interval is so long that a notification is missing in it.
  func isPause(_ interval: BeatTimeline.Sixteenths) -> Bool {
    count >= Self.warmUp && interval > typical * 8 / 5
  }

  /// How many arrivals there ought to be in a span.
  func expected(in span: BeatTimeline.Sixteenths) -> Int {
    guard count >= Self.warmUp, typical > 0 else { return 0 }
    return Int((span + typical / 2) / typical)
  }
}
