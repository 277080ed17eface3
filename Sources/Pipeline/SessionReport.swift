import TachogramCore

/// What a session amounts to: what was heard, and what its series of intervals amounts to.
package struct SessionReport: Sendable {
  package var session: SessionDescription
  package var notifications: NotificationCounts
  package var series: SeriesReport
}
