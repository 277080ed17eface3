import HRV
import TachogramCore

/// The time-domain metrics of the last seconds of a series, at every beat. A beat costs the same however long the window is. Nothing
/// is mended: for a recording as a whole `IntervalAnalysis` is.
public struct RollingHRV: Sendable {
  /// The longest window, in seconds: a day.
  public static let longest = 86_400

  private let length: WindowLength
  private var engine: HRVEngine
  private var time = MonotonicTime(microseconds: 0)
  private var followsGap = false

  /// A window of so many seconds, 1 … 86 400; others are taken for the nearest of these.
  public init(seconds: Int = 300) {
    length = WindowLength(seconds: min(max(1, seconds), Self.longest))
    // Room for intervals of 300 ms.
    engine = HRVEngine(lengths: [length], capacity: length.seconds * 4)
  }

  /// Adds the next interval, in ms. What is no interval, 0 … 65 535, is passed over as a gap.
  public mutating func append(_ milliseconds: Double) {
    guard milliseconds > 0, milliseconds <= 65_535 else {
      followsGap = true
      return
    }
    time = time.advanced(byMilliseconds: milliseconds)
    engine.append(TimedInterval(NNInterval(milliseconds: milliseconds), endingAt: time, followsGap: followsGap))
    followsGap = false
  }

  /// Adds time for which there are no intervals, in ms.
  public mutating func appendGap(_ milliseconds: Double) {
    guard milliseconds > 0, milliseconds <= 1000 * Double(Self.longest) else { return followsGap = true }
    time = time.advanced(byMilliseconds: milliseconds)
    followsGap = true
  }

  /// A metric of the window at the last beat; `nil` where its intervals are too few, and of what is not of the time domain.
  public subscript(metric: HRVResult.Metric) -> Double? {
    engine.snapshot(length: length, sessionStart: MonotonicTime(microseconds: 0))?.metrics[metric.name]
  }
}
