import HRV
import TachogramCore

/// The time-domain metrics of a sliding window at the end of a series. Appending an interval takes constant time, whatever the
/// length of the window. Artifacts are not corrected; to analyse a whole recording, use `IntervalAnalysis`.
public struct RollingHRV: Sendable {
  /// The longest window, in seconds: a day.
  public static let longest = 86_400

  private let length: WindowLength
  private var engine: HRVEngine
  private var time = MonotonicTime(microseconds: 0)
  private var followsGap = false

  /// Creates a window of `seconds`, clamped to 1 … 86 400.
  public init(seconds: Int = 300) {
    length = WindowLength(seconds: min(max(1, seconds), Self.longest))
    // Room for intervals of 250 ms.
    engine = HRVEngine(lengths: [length], capacity: length.seconds * 4)
  }

  /// Appends the next interval, in ms, above 0 and at most 65 535. Other values are skipped and count as a gap.
  public mutating func append(_ milliseconds: Double) {
    guard milliseconds > 0, milliseconds <= 65_535 else {
      followsGap = true
      return
    }
    time = time.advanced(byMilliseconds: milliseconds)
    engine.append(TimedInterval(NNInterval(milliseconds: milliseconds), endingAt: time, followsGap: followsGap))
    followsGap = false
  }

  /// Appends a time without intervals, in ms.
  public mutating func appendGap(_ milliseconds: Double) {
    guard milliseconds > 0, milliseconds <= 1000 * Double(Self.longest) else { return followsGap = true }
    time = time.advanced(byMilliseconds: milliseconds)
    followsGap = true
  }

  /// A metric of the window that ends at the last beat; `nil` if it has too few intervals, or if the metric is not of the time
  /// domain.
  public subscript(metric: HRVResult.Metric) -> Double? {
    engine.snapshot(length: length, sessionStart: MonotonicTime(microseconds: 0))?.metrics[metric.name]
  }
}
