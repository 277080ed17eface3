/// A stored window with its place on the civil clock.
package struct PlacedWindow: Hashable, Sendable {
  /// The session that it is of.
  package var sessionID: String
  /// When that session began.
  package var sessionStart: WallTime
  /// When the window ends, by the clock at the start of its session and the monotonic time since.
  package var end: WallTime
  package var window: HRVWindow

  package init(sessionID: String, sessionStart: WallTime, end: WallTime, window: HRVWindow) {
    self.sessionID = sessionID
    self.sessionStart = sessionStart
    self.end = end
    self.window = window
  }

  /// When the window begins, were it full.
  package var start: WallTime { end.advanced(byMicroseconds: -window.length.microseconds) }

  /// The share of its whole length that intervals cover, 0 … 1. `HRVWindow.coverage` leaves out the time before the
  /// session, and so calls the 5-minute window of a session of one minute full.
  package var filledShare: Double {
    min(window.coverage, window.metrics.duration / (Double(window.length.seconds) * 1000))
  }
}
