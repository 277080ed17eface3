import TachogramCore

/// An interval of a series, raw or corrected, with its end and the properties that the metrics need.
public struct TimedInterval: Hashable, Sendable {
  /// The length of the interval.
  public let nn: NNInterval
  /// The end of the interval.
  public let end: MonotonicTime
  /// Whether there is a gap before the interval, across which nothing is computed.
  public let followsGap: Bool
  /// Whether the interval was corrected. A corrected interval is counted, but its differences from its neighbours are not.
  public let isMended: Bool
  /// Whether the interval counts as an artifact although it was not corrected.
  public let isDoubtful: Bool
  /// The number of intervals that it counts as in the share of artifacts: the raw intervals that were joined to form it.
  public let width: Int
  /// The part of its length that it does not cover, in units of 2⁻³² ms; negative if the interval was shortened.
  public let uncovered: Int64

  /// Creates a raw interval. It covers its whole length if it is in the range of a human heart, and otherwise nothing.
  @inlinable
  @inline(__always)
  public init(_ nn: NNInterval, endingAt end: MonotonicTime, followsGap: Bool, isDoubtful: Bool = false) {
    self.init(
      nn, endingAt: end, followsGap: followsGap, isMended: false, isDoubtful: isDoubtful, width: 1,
      covered: IntervalRange.human.contains(nn.milliseconds) ? nn : NNInterval(milliseconds: 0))
  }

  /// Creates an interval of a corrected series that replaces `width` raw intervals, at least 1, and covers `covered`.
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

  /// The start of the interval.
  public var start: MonotonicTime { end.advanced(byMilliseconds: -nn.milliseconds) }

  /// Whether the interval counts as an artifact.
  var isArtifact: Bool { isMended || isDoubtful }
}
