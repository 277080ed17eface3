import TachogramCore

/// The content of a chunk of kind sleep: the movement of a session, and its night. It replaces earlier ones of the session.
package struct NightChunk: Hashable, Sendable {
  package var session: String
  /// The night with its stages, or `nil` if the session is not one.
  package var night: SleepSession?
  /// The movement in order.
  package var movement: [MovementEpoch]

  package init(session: String, night: SleepSession?, movement: [MovementEpoch]) {
    self.session = session
    self.night = night
    self.movement = movement
  }
}
