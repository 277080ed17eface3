import TachogramCore

/// A notification with intervals on its way to the timeline.
struct HeldNotification: Sendable {
  /// What the timeline decides by. Times are in sixteenths of a microsecond.
  struct Arrival: Sendable {
    let time: BeatTimeline.Sixteenths
    /// Since the notification before; `nil` for the first of a link.
    let interval: BeatTimeline.Sixteenths?
    /// Position among all arrivals.
    let number: Int
    let ledgerSequence: Int64
    /// Whether the strap had contact with the skin, as far as it can detect it.
    let hasContact: Bool
    /// Sum of the intervals that last as long as they say: of all up to 2 s.
    let duration: BeatTimeline.Sixteenths
    /// Sum of those above 2 s, which last as long as they say only where so much time has passed.
    let claimed: BeatTimeline.Sixteenths

    /// How far the notification arrived behind its last beat, when the beat before its first one was at `end`, in all that
    /// its intervals leave to choose; and how long those above 2 s last then.
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
