/// A chain of beats without a break in its link. Times are in sixteenths of a microsecond.
struct BeatRun: Sendable {
  private static let epoch: BeatTimeline.Sixteenths = 60 * 16_000_000

  /// The end of the last beat.
  var end: BeatTimeline.Sixteenths
  /// Arrival of the first notification, or of the one to whose arrival the chain was moved last.
  private(set) var start: BeatTimeline.Sixteenths
  /// The total distance that the chain was moved since then.
  var shift: BeatTimeline.Sixteenths = 0

  private var epochStart: BeatTimeline.Sixteenths
  private var least: BeatTimeline.Sixteenths = .max
  private var budget: BeatTimeline.Sixteenths = 0

  init(end: BeatTimeline.Sixteenths, start: BeatTimeline.Sixteenths) {
    self.end = end
    self.start = start
    epochStart = start
  }

  /// Moves the chain to an arrival, and restarts the allowance for its drift there.
  mutating func anchor(at arrival: BeatTimeline.Sixteenths) {
    start = arrival
    shift = 0
  }

  /// Records the delay of a notification after its last beat. Once a minute the least delay becomes the distance that the chain
  /// may catch up.
  mutating func observe(excess: BeatTimeline.Sixteenths, at arrival: BeatTimeline.Sixteenths) {
    least = min(least, max(0, excess))
    if arrival - epochStart >= Self.epoch {
      budget = least
      least = .max
      epochStart = arrival
    }
  }

  /// Returns the distance that the chain moves forward now, at most `limit`.
  mutating func drift(_ limit: BeatTimeline.Sixteenths) -> BeatTimeline.Sixteenths {
    let step = min(budget, limit)
    budget -= step
    if least < .max { least -= min(least, step) }
    return step
  }
}
