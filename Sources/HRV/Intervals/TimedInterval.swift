import TachogramCore

/// An interval of a series, raw or corrected, as the metrics take it.
public struct TimedInterval: Hashable, Sendable {
  /// Its length.
  public let nn: NNInterval
  /// When it ended.
  public let end: MonotonicTime
  /// Whether there is a gap before it, over which nothing is computed.
  public let followsGap: Bool
  /// Whether it was mended: it counts as an interval, and its differences from its neighbours do not count.
  public let isMended: Bool
  /// Whether it counts as an artifact though it was not mended.
  public let isDoubtful: Bool
  /// How many intervals it counts for in the share of artifacts: the raw ones that were joined to it.
  public let width: Int
  /// The time that it does not cover of its length, in units of 2⁻³² ms: below 0 where it was shortened.
  public let uncovered: Int64

  /// An interval as it came. It covers its time where it is in the range of a human heart, and else none.
  @inlinable
  @inline(__always)
  public init(_ nn: NNInterval, endingAt end: MonotonicTime, followsGap: Bool, isDoubtful: Bool = false) {
    self.init(
      nn, endingAt: end, followsGap: followsGap, isMended: false, isDoubtful: isDoubtful, width: 1,
      covered: IntervalRange.human.contains(nn.milliseconds) ? nn : NNInterval(milliseconds: 0))
  }

  /// An interval of a corrected series, in the place of `width` raw ones, at least 1, that cover `covered`.
  @inlinable
  public init(
    _ nn: NNInterval, endingAt end: MonotonicTime, followsGap: Bool, isMended: Bool, isDoubtful: Bool,
    width: Int, covered: NNInterval,
  ) {
    self.nn = nn
    self.end = end
    self.followsGap = followsGap
    self.isMended = isMended
    self.isDoubtful = isDoubtful
    self.width = width
    uncovered = nn.fixedPoint - covered.fixedPoint
  }

  /// When it began.
  public var start: MonotonicTime { end.advanced(byMilliseconds: -nn.milliseconds) }

  /// Whether it counts as an artifact.
  var isArtifact: Bool { isMended || isDoubtful }
}
