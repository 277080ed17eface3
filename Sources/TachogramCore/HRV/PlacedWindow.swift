/// A stored window with its times on the civil clock.
package struct PlacedWindow: Hashable, Sendable {
  /// The identifier of the session of the window.
  package var sessionID: String
  /// The start of that session.
  package var sessionStart: WallTime
  /// The end of the window, computed from the clock at the start of its session and the monotonic time since then.
  package var end: WallTime
  package var window: HRVWindow

  package init(sessionID: String, sessionStart: WallTime, end: WallTime, window: HRVWindow) {
    self.sessionID = sessionID
    self.sessionStart = sessionStart
    self.end = end
    self.window = window
  }

  /// The start of a full window with this end.
  package var start: WallTime { end.advanced(byMicroseconds: -window.length.microseconds) }

  /// The share of the nominal length that intervals cover, 0 … 1. `HRVWindow.coverage` excludes the time before the session, so
  /// that the 5-minute window of a one-minute session counts as full there.
  package var filledShare: Double {
    min(window.coverage, window.metrics.duration / (Double(window.length.seconds) * 1000))
  }
}
