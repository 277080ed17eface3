import TachogramCore

/// An interval of the corrected series, and its origin.
public struct CorrectedInterval: Hashable, Sendable {
  /// Its length, 0 or more.
  public let milliseconds: Double
  /// The number of raw intervals that it replaces: 2 if two were joined, and 1 for each part of a divided one.
  public let width: Int
  /// The time covered by those of its raw intervals that are in the range of a human heart, in ms.
  public let covered: Double
  /// When it ended.
  public let time: MonotonicTime
  /// The class of the corrected artifact, or `.normal` if the interval is unchanged.
  public let beatClass: BeatClass
  /// The position, from 0, of its raw interval; of the last one if two were joined.
  public let source: Int
}
