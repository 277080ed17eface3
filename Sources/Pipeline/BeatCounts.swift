/// What the timeline made of a session's intervals.
package struct BeatCounts: Hashable, Sendable {
  package internal(set) var total = 0
  package internal(set) var gaps = 0
  /// Sum of the gaps, in seconds.
  package internal(set) var gapSeconds = 0.0
  /// Beats out of the range of a human heart: `IntervalRange`.
  package internal(set) var outOfRange = 0
  /// Beats while the strap had no contact.
  package internal(set) var withoutContact = 0
  /// Values of a text file that are no intervals; they are in no other count.
  package internal(set) var impossible = 0
  /// Beats to which a text file gives a time that cannot be.
  package internal(set) var withUnusableTime = 0
  /// Share of the session's wall span that intervals in that range cover, 0 … 1. With notifications without a time at most the
  /// share of those that have one.
  package internal(set) var coverage = 0.0
  /// The session's wall span, in seconds.
  package internal(set) var spanSeconds = 0.0
}
