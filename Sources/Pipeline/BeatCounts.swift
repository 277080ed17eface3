/// What the timeline made of a session's intervals.
package struct BeatCounts: Hashable, Sendable {
  package internal(set) var total = 0
  package internal(set) var gaps = 0
  /// Sum of the gaps, in seconds.
  package internal(set) var gapSeconds = 0.0
  /// Beats below 273 ms or above 2000 ms.
  package internal(set) var outOfRange = 0
  /// Beats while the strap had no contact.
  package internal(set) var withoutContact = 0
  /// Share of the session's wall span that the intervals cover, 0 … 1.
  package internal(set) var coverage = 0.0
  /// The session's wall span, in seconds.
  package internal(set) var spanSeconds = 0.0
}
