import FoundationEssentials
import Pipeline
import StressKit
import TachogramCore

/// Heart-rate variability of a series of RR intervals, of any length, with its artifacts found and mended. Memory grows by some
/// bytes an interval.
public struct IntervalAnalysis: Sendable {
  /// Intervals of an RR format: more are no interval of any heart.
  private static let representable = 0.0...65_535

  private var analysis = SeriesAnalysis(baseline: .default())
  private var gap: Double?

  /// Of no intervals yet.
  public init() {}

  /// Of these, in ms.
  public init(_ intervals: some Sequence<Double>) {
    for interval in intervals { append(interval) }
  }

  /// Adds the next interval, in ms. What is none of a heart counts as an artifact; what is no interval at all, such as 0 or NaN,
  /// takes no time.
  public mutating func append(_ milliseconds: Double) {
    guard Self.representable.contains(milliseconds), milliseconds > 0 else { return analysis.addImpossible(1) }
    analysis.add(milliseconds: milliseconds, gap: gap)
    gap = nil
  }

  /// Adds time for which there are no intervals, in ms: nothing is computed over it.
  public mutating func appendGap(_ milliseconds: Double) {
    guard milliseconds.isFinite, milliseconds > 0 else { return }
    gap = (gap ?? 0) + milliseconds
  }

  /// What the intervals so far amount to.
  public func result() -> HRVResult { HRVResult(analysis.report()) }
}
