import TachogramCore

/// The intervals of a notification that the strap itself doubts, for want of contact or because of movement.
public struct DoubtfulPositions: Hashable, Sendable {
  /// A bit for each of the first 63 positions, and one for all further ones.
  private var bits: UInt64

  /// No interval is doubtful.
  public static let none = DoubtfulPositions(bits: 0)
  /// All intervals are doubtful.
  public static let all = DoubtfulPositions(bits: .max)

  /// Adds a position, counted from 0.
  public mutating func insert(_ position: Int) { bits |= 1 << UInt64(min(max(0, position), 63)) }

  /// Whether the interval at a position is doubtful. From the 64th on, it is if any of them is.
  @inline(__always)
  public func contains(_ position: Int) -> Bool { bits >> UInt64(min(max(0, position), 63)) & 1 == 1 }
}
