import TachogramCore

/// What artifact correction found in a series.
public struct ArtifactFindings: Hashable, Sendable {
  /// Raw intervals by class.
  public private(set) var counts = BeatClassCounts()
  /// How many of the long ones are gaps.
  public private(set) var gaps = 0
  /// Which raw intervals, from 0, are of each class but normal, in ascending order; `nil` when they are not listed.
  public private(set) var positions: [BeatClass: [Int]]?

  /// Nothing yet. A list of positions grows as long as the series does.
  init(listsPositions: Bool) {
    positions = listsPositions ? [:] : nil
  }

  /// Adds `count` raw intervals of a class, the first of them the one at `position`.
  @inline(__always)
  mutating func add(_ beatClass: BeatClass, at position: Int, count: Int = 1) {
    counts[beatClass] += count
    if beatClass != .normal { positions?[beatClass, default: []].append(contentsOf: position..<(position + count)) }
  }

  /// Adds the gap that the raw interval at `position` is.
  mutating func addGap(at position: Int) {
    add(.longShort, at: position)
    gaps += 1
  }
}
