/// The RR intervals of one notification, the oldest first. Up to eight, more than a strap sends in a second, are kept
/// within the value, so that the way of a beat allocates nothing.
public struct RRIntervals: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  private static let perWord = 4
  private static let inPlace = 8

  /// Ticks of the first eight, sixteen bits each, the first in the lowest.
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  /// Ticks of the ninth and those behind it.
  private var rest: [UInt16] = []
  /// How many there are.
  public private(set) var count = 0

  /// None.
  public init() {}

  /// These, the oldest first.
  public init(_ intervals: some Sequence<RRInterval>) {
    for interval in intervals { append(interval) }
  }

  /// These, the oldest first.
  public init(arrayLiteral elements: RRInterval...) {
    self.init(elements)
  }

  /// Where the oldest is.
  public var startIndex: Int { 0 }

  /// Behind the newest.
  public var endIndex: Int { count }

  /// The interval at a position from 0.
  @inline(__always)
  public subscript(position: Int) -> RRInterval {
    precondition(position >= 0 && position < count)
    if position >= Self.inPlace { return RRInterval(ticks: rest[position - Self.inPlace]) }
    let word = position < Self.perWord ? first : second
    return RRInterval(ticks: UInt16(truncatingIfNeeded: word >> (16 * UInt64(position % Self.perWord))))
  }

  /// Adds one behind the newest.
  @inline(__always)
  public mutating func append(_ interval: RRInterval) {
    let place = UInt64(interval.ticks) << (16 * UInt64(count % Self.perWord))
    if count < Self.perWord {
      first |= place
    } else if count < Self.inPlace {
      second |= place
    } else {
      rest.append(interval.ticks)
    }
    count += 1
  }

  /// The sum of all, in ticks.
  public var ticks: Int64 {
    var sum: Int64 = 0
    for position in 0..<count { sum += Int64(self[position].ticks) }
    return sum
  }
}
