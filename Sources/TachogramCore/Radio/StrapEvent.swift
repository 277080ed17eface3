/// An event of a source of straps. The events of a strap are in order: it is identified first, and each notification and each
/// `sensor` is between a `linkUp` and the next `linkDown`.
package struct StrapEvent: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// The identity of the strap; emitted again when more of it is known.
    case identified(StrapIdentity)
    /// A link began, on which notifications may arrive; `bootID` is that of `StrapLink`.
    case linkUp(handle: UInt16, handleSource: HandleSource, bootID: String?)
    /// The bytes of a Heart Rate Measurement, unchanged.
    case notification([UInt8])
    /// What the strap sent beside its heart rate, unchanged. The start of a stream precedes its frames.
    case sensor(SensorEntry.Content)
    /// The active link ended; the reason is an HCI error code, or 0 if it is not known.
    case linkDown(reason: UInt8)
    /// The state of the link, which is valid until the next event of this kind.
    case state(LinkState)
    /// The signal strength, in dBm.
    case signal(Int8)
    /// The source no longer listens to the strap: this is the last event with its ordinal.
    case dismissed
  }

  /// The ordinal of the strap within its source, counted from 0.
  package var strap: Int
  /// The time of the event, on the monotonic axis and on the civil clock.
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
