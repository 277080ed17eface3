import TachogramCore

/// An interval of a series, raw or corrected, as the metrics take it.
package struct TimedInterval: Hashable, Sendable {
  package let nn: NNInterval
  /// When it ended.
  package let end: MonotonicTime
  /// Whether there is a gap before it, over which nothing is computed.
  package let followsGap: Bool
  /// Whether it was mended: it counts as an interval, and its differences from its neighbours do not count.
  package let isMended: Bool
  /// Whether it counts as an artifact though it was not mended.
  package let isDoubtful: Bool

  @inlinable
  package init(
    _ nn: NNInterval, endingAt end: MonotonicTime, followsGap: Bool, isMended: Bool = false, isDoubtful: Bool = false,
  ) {
    self.nn = nn
    self.end = end
    self.followsGap = followsGap
    self.isMended = isMended
    self.isDoubtful = isDoubtful
  }

  /// When it began.
  package var start: MonotonicTime { end.advanced(byMilliseconds: -nn.milliseconds) }

  /// Whether it counts as an artifact.
  var isArtifact: Bool { isMended || isDoubtful }
}
