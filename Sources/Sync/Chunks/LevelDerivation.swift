import TachogramCore

/// States which of several derivations of a session the levels in a chunk belong to.
package struct LevelDerivation: Hashable, Sendable {
  package var session: String
  /// When the session was derived again, on the civil clock of the station that did it. Levels of earlier derivations are out of date.
  package var time: WallTime
  /// Whether the levels in the chunk are all levels of the session, which replace the earlier ones.
  package var isWhole: Bool

  package init(session: String, time: WallTime, isWhole: Bool) {
    (self.session, self.time, self.isWhole) = (session, time, isWhole)
  }
}
