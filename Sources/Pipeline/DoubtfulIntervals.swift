/// Positions of raw intervals that are doubtful for themselves, of which nothing final is known.
struct DoubtfulIntervals: Sendable {
  private var positions: [Int] = []

  /// Adds a position behind all others.
  mutating func note(_ position: Int) {
    positions.append(position)
  }

  /// Takes out those up to `position`; whether there were any.
  mutating func consume(upTo position: Int) -> Bool {
    guard let first = positions.first, first <= position else { return false }
    positions.removeFirst(positions.prefix { $0 <= position }.count)
    return true
  }
}
