/// The counts of the beats and gaps of a session, and its coverage.
package struct BeatCounts: Hashable, Sendable {
  package internal(set) var total = 0
  package internal(set) var gaps = 0
  /// The sum of the gaps, in seconds.
  package internal(set) var gapSeconds = 0.0
  /// The number of beats outside the range of a human heart (`IntervalRange`).
  package internal(set) var outOfRange = 0
  /// The number of beats without skin contact.
  package internal(set) var withoutContact = 0
  /// The number of values of a text file that are not intervals. They are not included in any other count.
  package internal(set) var impossible = 0
  /// The number of beats with an impossible time in a text file.
  package internal(set) var withUnusableTime = 0
  /// The share of the session's wall span that intervals in the range of a human heart cover, 0 … 1. If there are notifications
  /// without a time, it is at most the share of those with a time.
  package internal(set) var coverage = 0.0
  /// The session's wall span, in seconds.
  package internal(set) var spanSeconds = 0.0
}
