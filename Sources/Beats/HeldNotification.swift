import TachogramCore

/// A notification with intervals that waits to be placed on the timeline.
struct HeldNotification: Sendable {
  /// The facts on which the timeline decides. Times are in sixteenths of a microsecond.
  struct Arrival: Sendable {
    let time: BeatTimeline.Sixteenths
    /// The time since the previous notification, or `nil` for the first of a link.
    let interval: BeatTimeline.Sixteenths?
    /// Position among all arrivals.
    let number: Int
    let ledgerSequence: Int64
    /// The intervals without contact with the skin, as far as the strap can detect it.
    let withoutContact: DoubtfulPositions
    /// The sum of the intervals up to 2 s, which have their stated length.
    let duration: BeatTimeline.Sixteenths
    /// The sum of the intervals above 2 s, which have their stated length only if that much time has passed.
    let claimed: BeatTimeline.Sixteenths

    /// Returns the delay of the notification after its last beat if the beat before its first one ended at `end`, and the time
    /// granted to the intervals above 2 s, which reduces the delay as far as possible.
    func excess(
      behind end: BeatTimeline.Sixteenths
    ) -> (
      excess: BeatTimeline.Sixteenths, granted: BeatTimeline.Sixteenths
    ) {
      let excess = time - (end + duration)
      let granted = max(0, min(claimed, excess))
      return (excess - granted, granted)
    }
  }

  let arrival: Arrival
  let rrIntervals: RRIntervals
}
