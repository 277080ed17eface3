/// The positions of individually doubtful raw intervals that have not become final.
struct DoubtfulIntervals: Sendable {
  private var positions: [Int] = []

  /// Appends a position, which must be greater than all others.
  mutating func note(_ position: Int) {
    positions.append(position)
  }

  /// Removes the positions up to `position`. Returns whether there were any.
  mutating func consume(upTo position: Int) -> Bool {
    guard let first = positions.first, first <= position else { return false }
    positions.removeFirst(positions.prefix { $0 <= position }.count)
    return true
  }
}
