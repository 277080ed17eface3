import TachogramCore

/// What a session amounts to: what was heard, and what its series of intervals amounts to.
package struct SessionReport: Sendable {
  package var session: SessionDescription
  package var notifications: NotificationCounts
  package var series: SeriesReport

  /// Counts notifications of the strap that a capture holds and the ledger does not. Nobody knows when those without a time
  /// came: what they would have covered is missing, wherever they stand, so that the coverage is at most the share of those
  /// with a time.
  package mutating func leaveOut(_ counts: LeftOutCounts) {
    notifications.leftOut.add(counts)
    let untimed = counts[.withoutTime]
    guard untimed > 0 else { return }
    let found = notifications.found
    series.beats.coverage = min(series.beats.coverage, Double(found - untimed) / Double(found))
  }
}
