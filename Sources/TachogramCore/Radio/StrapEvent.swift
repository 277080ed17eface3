/// What a source of straps emits. The events of a strap are in order: it is identified first, and each notification
/// lies between a `linkUp` and the next `linkDown`.
package struct StrapEvent: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// Who the strap is; emitted again when more is known.
    case identified(StrapIdentity)
    /// A link begins, on which notifications may come; `bootID` as in `StrapLink`.
    case linkUp(handle: UInt16, handleSource: HandleSource, bootID: String?)
    /// The bytes of a Heart Rate Measurement, as they came.
    case notification([UInt8])
    /// The link that was up ended; the reason is an HCI error code, 0 when not known.
    case linkDown(reason: UInt8)
    /// Where the link stands; between two of these it stands as the first says.
    case state(LinkState)
    /// Signal strength, in dBm.
    case signal(Int8)
    /// The source listens to the strap no longer: this is the last event of its ordinal.
    case dismissed
  }

  /// Ordinal of the strap within its source, from 0.
  package var strap: Int
  /// When it happened, on the monotonic axis and on the civil clock.
  package var monotonic: MonotonicTime
  package var wall: WallTime
  package var content: Content

  package init(strap: Int, monotonic: MonotonicTime, wall: WallTime, content: Content) {
    self.strap = strap
    self.monotonic = monotonic
    self.wall = wall
    self.content = content
  }
}
