import TachogramCore

/// A notification with intervals on its way to the timeline. Times are in sixteenths of a microsecond.
struct HeldNotification: Sendable {
  let arrival: BeatTimeline.Sixteenths
  /// Since the notification before; `nil` for the first of a link.
  let interval: BeatTimeline.Sixteenths?
  /// Position among all arrivals.
  let number: Int
  let ledgerSequence: Int64
  let rrIntervals: RRIntervals
  /// Whether the strap had contact with the skin, as far as it can tell.
  let hasContact: Bool
  /// Sum of the intervals.
  let duration: BeatTimeline.Sixteenths

  init(
    arrival: BeatTimeline.Sixteenths, interval: BeatTimeline.Sixteenths?, number: Int,
    ledgerSequence: Int64, rrIntervals: RRIntervals, hasContact: Bool,
  ) {
    self.arrival = arrival
    self.interval = interval
    self.number = number
    self.ledgerSequence = ledgerSequence
    self.rrIntervals = rrIntervals
    self.hasContact = hasContact
    duration = rrIntervals.ticks * 15_625
  }
}
