/// The typical interval between a strap's notifications, learnt from arrivals on time. Most straps notify once a second, some
/// once a beat. Times are in sixteenths of a microsecond.
struct ArrivalRhythm: Sendable {
  /// The number of arrivals before the rhythm counts as known. It begins with the longest of their intervals, because a late
  /// first notification makes the interval after it too short.
  private static let warmUp = 3

  private var typical: BeatTimeline.Sixteenths = 0
  private var count = 0

  /// Updates the rhythm with the interval between two arrivals.
  mutating func learn(_ interval: BeatTimeline.Sixteenths) {
    count += 1
    if count <= Self.warmUp {
      typical = max(typical, interval)
    } else {
      typical += (min(interval, typical * 2) - typical) / 8
    }
  }

  /// Returns whether an interval is so long that a notification is missing in it.
  func isPause(_ interval: BeatTimeline.Sixteenths) -> Bool {
    count >= Self.warmUp && interval > typical * 8 / 5
  }

  /// Returns the number of arrivals expected in a span.
  func expected(in span: BeatTimeline.Sixteenths) -> Int {
    guard count >= Self.warmUp, typical > 0 else { return 0 }
    return Int((span + typical / 2) / typical)
  }
}
