import TachogramCore

/// An interval of the corrected series, and where it comes from.
public struct CorrectedInterval: Hashable, Sendable {
  /// Its length, 0 or more.
  public let milliseconds: Double
  /// How many raw intervals it takes the place of: 2 where two were joined, and 1 for each of those that one was cut into.
  public let width: Int
  /// How much time the raw intervals in the range of a human heart cover that it comes from, in ms.
  public let covered: Double
  /// When it ended.
  public let time: MonotonicTime
  /// What was mended in it; `.normal` when it is as it came.
  public let beatClass: BeatClass
  /// Position of the raw interval, from 0, that it comes from: of the last one, where two were joined.
  public let source: Int
}
