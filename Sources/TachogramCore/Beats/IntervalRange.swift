/// The classification of an RR interval by its length alone. Beat marks, coverage, artifacts and reports all use this
/// definition. docs/metrics.md explains the bounds.
public enum IntervalRange: Hashable, Sendable {
  /// Below 273 ms, above 220 bpm.
  case tooShort
  /// From 273 to 2000 ms, 220 to 30 bpm: the range of a human heart.
  case inRange
  /// Above 2000 and up to 3000 ms: beats may be missing in it.
  case tooLong
  /// Above 3000 ms: not an interval between two beats, but a gap.
  case gap

  /// The range of a human heart, in ms.
  @inlinable @inline(__always) public static var human: ClosedRange<Double> { 273.0...2000.0 }
  /// The length above which an interval is a gap, in ms.
  @inlinable @inline(__always) public static var longest: Double { 3000 }
  /// `human` in ticks of 1/1024 s. 273 ms are 279.552 ticks; the other bounds are whole numbers of ticks.
  @inlinable @inline(__always) public static var humanTicks: ClosedRange<UInt16> { 280...2048 }
  /// `longest` in ticks.
  @inlinable @inline(__always) public static var longestTicks: UInt16 { 3072 }

  /// Classifies an interval in ms. NaN is too short.
  @inlinable
  @inline(__always)
  public init(milliseconds: Double) {
    if Self.human.contains(milliseconds) {
      self = .inRange
    } else if milliseconds > Self.longest {
      self = .gap
    } else {
      self = milliseconds > Self.human.upperBound ? .tooLong : .tooShort
    }
  }

  /// Classifies an interval that a strap sent.
  @inlinable
  @inline(__always)
  public init(_ rr: RRInterval) {
    if Self.humanTicks.contains(rr.ticks) {
      self = .inRange
    } else if rr.ticks > Self.longestTicks {
      self = .gap
    } else {
      self = rr.ticks > Self.humanTicks.upperBound ? .tooLong : .tooShort
    }
  }
}
