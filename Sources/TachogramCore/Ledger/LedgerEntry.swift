/// What was heard, as it was heard: the unit of truth. An entry is never rewritten, and all else derives from entries.
public struct LedgerEntry: Hashable, Sendable {
  /// What an entry records.
  public enum Content: Hashable, Sendable {
    /// The bytes of one Heart Rate Measurement notification, well-formed or not.
    case notification([UInt8])
    /// The link ended; the reason is an HCI error code (Core Specification 5.4, Vol 1, Part F), 0 when not known. With 0xFE,
    /// which is none, it did not end: the capture lost packets.
    case linkDown(reason: UInt8)
  }

  /// Position within the session, from 0, without holes. It distinguishes equal notifications.
  public var sequence: Int64
  /// Ordinal of the link (`StrapLink.number`) that brought it.
  public var link: Int
  /// When it arrived, on the monotonic axis.
  public var monotonic: MonotonicTime
  /// When it arrived, on the civil clock.
  public var wall: WallTime
  /// What it records.
  public var content: Content

  /// An entry of these parts.
  public init(sequence: Int64, link: Int, monotonic: MonotonicTime, wall: WallTime, content: Content) {
    self.sequence = sequence
    self.link = link
    self.monotonic = monotonic
    self.wall = wall
    self.content = content
  }
}
