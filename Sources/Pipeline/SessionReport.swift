import TachogramCore

/// The report of a session: the counts of its notifications, and the report of its series of intervals.
package struct SessionReport: Sendable {
  package var session: SessionDescription
  package var notifications: NotificationCounts
  package var series: SeriesReport

  /// Adds the notifications of the strap that are in a capture but not in the ledger. The arrival of those without a time is
  /// unknown, and the time that they would have covered is missing, so that the coverage is limited to the share of
  /// notifications with a time.
  package mutating func leaveOut(_ counts: LeftOutCounts) {
    notifications.leftOut.add(counts)
    let untimed = counts[.withoutTime]
    guard untimed > 0 else { return }
    let found = notifications.found
    series.beats.coverage = min(series.beats.coverage, Double(found - untimed) / Double(found))
  }
}
