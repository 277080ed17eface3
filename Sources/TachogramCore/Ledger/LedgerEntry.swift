/// A received notification, a frame of pulse intervals, or the end of a link, exactly as it was received. An entry is never rewritten, and all other data
/// derives from entries.
public struct LedgerEntry: Hashable, Sendable {
  /// The content of an entry.
  public enum Content: Hashable, Sendable {
    /// The bytes of one Heart Rate Measurement notification, well-formed or not.
    case notification([UInt8])
    /// The link ended; the reason is an HCI error code (Core Specification 5.4, Vol 1, Part F), or 0 if it is not known. 0xFE,
    /// which is not an HCI error code, means that the link stayed up and the capture lost packets.
    case linkDown(reason: UInt8)
    /// The bytes of one frame of pulse-to-pulse intervals, in ms, as optical Polar sensors send them (Polar Measurement Data),
    /// well-formed or not. Beats are taken from them if the notifications have no RR intervals.
    case pulseIntervals([UInt8])
  }

  /// The position within the session, counted from 0 without holes. It distinguishes equal notifications.
  public var sequence: Int64
  /// The ordinal of the link (`StrapLink.number`) on which the entry arrived.
  public var link: Int
  /// The time of arrival on the monotonic axis.
  public var monotonic: MonotonicTime
  /// The time of arrival on the civil clock.
  public var wall: WallTime
  /// The content of the entry.
  public var content: Content

  /// Creates an entry from its parts.
  public init(sequence: Int64, link: Int, monotonic: MonotonicTime, wall: WallTime, content: Content) {
    self.sequence = sequence
    self.link = link
    self.monotonic = monotonic
    self.wall = wall
    self.content = content
  }
}
