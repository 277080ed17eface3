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
    /// Whether the strap had contact with the skin, as far as it can tell.
    let hasContact: Bool
    /// Sum of the intervals.
    let duration: BeatTimeline.Sixteenths
  }

  let arrival: Arrival
  let rrIntervals: RRIntervals
}
