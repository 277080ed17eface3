/// The RR intervals of one notification, the oldest first. Up to eight, more than a strap sends in a second, are stored inline,
/// so that processing a beat does not allocate memory.
public struct RRIntervals: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The intervals after the eighth. They are a reference, because most notifications have none, and copying `nil` is free.
  @usableFromInline
  internal final class Overflow: Hashable, Sendable {
    @usableFromInline internal let ticks: [UInt16]

    @usableFromInline
    internal init(_ ticks: [UInt16]) {
      self.ticks = ticks
    }

    @usableFromInline
    internal static func == (left: Overflow, right: Overflow) -> Bool { left.ticks == right.ticks }

    @usableFromInline
    internal func hash(into hasher: inout Hasher) { hasher.combine(ticks) }
  }

  @usableFromInline internal static var perWord: Int { 4 }
  /// The number of intervals that are stored inline.
  @usableFromInline package static var inPlace: Int { 8 }

  /// Ticks of the first eight, sixteen bits each, the first in the lowest.
  @usableFromInline internal var first: UInt64 = 0
  @usableFromInline internal var second: UInt64 = 0
  @usableFromInline internal var rest: Overflow?
  @usableFromInline internal var length = 0

  /// The number of intervals.
  @inlinable public var count: Int { length }

  /// Creates an empty collection.
  @inlinable
  public init() {}

  /// Creates a collection of intervals, the oldest first.
  public init(_ intervals: some Sequence<RRInterval>) {
    var further: [UInt16] = []
    for interval in intervals {
      if count < Self.inPlace { append(interval) } else { further.append(interval.ticks) }
    }
    append(ticks: further)
  }

  /// Creates a collection of intervals, the oldest first.
  public init(arrayLiteral elements: RRInterval...) {
    self.init(elements)
  }

  /// The position of the oldest interval.
  public var startIndex: Int { 0 }

  /// The position after the newest interval.
  public var endIndex: Int { count }

  /// The interval at a position, counted from 0.
  @inlinable
  public subscript(position: Int) -> RRInterval {
    precondition(position >= 0 && position < count)
    if position >= Self.inPlace { return RRInterval(ticks: rest?.ticks[position - Self.inPlace] ?? 0) }
    let word = position < Self.perWord ? first : second
    return RRInterval(ticks: UInt16(truncatingIfNeeded: word >> (16 * UInt64(position % Self.perWord))))
  }

  /// Appends an interval after the newest.
  @inlinable
  public mutating func append(_ interval: RRInterval) {
    let place = UInt64(interval.ticks) << (16 * UInt64(count % Self.perWord))
    if count < Self.perWord {
      first |= place
    } else if count < Self.inPlace {
      second |= place
    } else {
      rest = Overflow((rest?.ticks ?? []) + [interval.ticks])
    }
    length += 1
  }

  /// Appends several intervals at once; there must already be eight or more. Appending them one by one would copy the preceding
  /// ones each time.
  @usableFromInline
  package mutating func append(ticks further: [UInt16]) {
    if further.isEmpty { return }
    precondition(count >= Self.inPlace)
    rest = Overflow((rest?.ticks ?? []) + further)
    length += further.count
  }

  /// The sum of all intervals, in ticks.
  @inlinable public var ticks: Int64 {
    var sum: Int64 = 0
    for position in 0..<count { sum += Int64(self[position].ticks) }
    return sum
  }
}
