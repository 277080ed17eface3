import FoundationEssentials
import Pipeline
import StressKit
import TachogramCore

/// The heart-rate variability of a series of RR intervals of any length, with artifact detection and correction. Memory use
/// grows by a few bytes per interval.
public struct IntervalAnalysis: Sendable {
  /// The range of intervals in RR formats; longer values are not intervals of a heart.
  private static let representable = 0.0...65_535

  private var analysis = SeriesAnalysis(baseline: .default())
  private var gap: Double?

  /// Creates an analysis without intervals.
  public init() {}

  /// Creates an analysis of the given intervals, in ms.
  public init(_ intervals: some Sequence<Double>) {
    for interval in intervals { append(interval) }
  }

  /// Appends the next interval, in ms. An interval that is not plausible for a heart counts as an artifact; so does a value
  /// that is not an interval, such as 0 or NaN, which does not advance the time.
  public mutating func append(_ milliseconds: Double) {
    guard Self.representable.contains(milliseconds), milliseconds > 0 else { return analysis.addImpossible(1) }
    analysis.add(milliseconds: milliseconds, gap: gap)
    gap = nil
  }

  /// Appends a time without intervals, in ms. No metric is computed across it.
  public mutating func appendGap(_ milliseconds: Double) {
    guard milliseconds.isFinite, milliseconds > 0 else { return }
    gap = (gap ?? 0) + milliseconds
  }

  /// Returns the result for the intervals appended so far.
  public func result() -> HRVResult { HRVResult(analysis.report()) }
}
