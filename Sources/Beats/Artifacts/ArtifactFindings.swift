import TachogramCore

/// The findings of artifact correction in a series.
public struct ArtifactFindings: Hashable, Sendable {
  /// Raw intervals by class.
  public private(set) var counts = BeatClassCounts()
  /// The number of long intervals that are gaps.
  public private(set) var gaps = 0
  /// The positions of the raw intervals, from 0, of each class except normal, in ascending order, or `nil` if they are not
  /// listed.
  public private(set) var positions: [BeatClass: [Int]]?

  /// Creates empty findings. A list of positions grows with the series.
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
