/// What a strap sent beside its heart rate, exactly as it was received: the ledger of accelerometer, electrocardiogram and pulse
/// intervals. Entries are numbered within their session and are kept for a limited time.
package struct SensorEntry: Hashable, Sendable {
  /// The content of an entry. Numbers in the bytes are little-endian.
  package enum Content: Hashable, Sendable {
    /// A notification of the measurement data characteristic, well-formed or not.
    case frame([UInt8])
    /// A stream was started: the request as it was sent, and the response, which has the factor of its samples.
    case started(request: [UInt8], response: [UInt8])
    /// The strap reported that it ended a stream: the notification of the control point.
    case stopped([UInt8])
  }

  /// The position within the session, counted from 0 without holes.
  package var sequence: Int64
  /// The ordinal of the link (`StrapLink.number`) on which the entry arrived.
  package var link: Int
  /// The time of arrival on the monotonic axis.
  package var monotonic: MonotonicTime
  /// The time of arrival on the civil clock.
  package var wall: WallTime
  package var content: Content

  package init(sequence: Int64, link: Int, monotonic: MonotonicTime, wall: WallTime, content: Content) {
    self.sequence = sequence
    self.link = link
    self.monotonic = monotonic
    self.wall = wall
    self.content = content
  }
}
