import TachogramCore

/// An interval of the corrected series, and where it comes from.
public struct CorrectedInterval: Hashable, Sendable {
  /// Its length, 0 or more.
  public let milliseconds: Double
  /// When it ended.
  public let time: MonotonicTime
  /// What was mended in it; `.normal` when it is as it came.
  public let beatClass: BeatClass
  /// Position of the raw interval, from 0, that it comes from: of the last one, where two were joined.
  public let source: Int
}
