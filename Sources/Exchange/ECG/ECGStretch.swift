import TachogramCore

/// Samples without a gap between them, one period apart.
struct ECGStretch: Hashable {
  /// The nominal sample rate in Hz.
  let rate: UInt16
  private(set) var sampleCount: Int
  private let first: UInt64
  private var last: UInt64
  /// The least delay from the last sample of a frame to its arrival, in microseconds, as the difference of two clocks.
  private var delay: Int64

  init(_ frame: ECGFrame) {
    rate = frame.rate
    sampleCount = frame.times.count
    first = frame.times.first ?? 0
    last = frame.times.last ?? 0
    delay = Self.delay(frame)
  }

  /// Adds a frame that continues the stretch.
  mutating func add(_ frame: ECGFrame) {
    sampleCount += frame.times.count
    last = frame.times.last ?? last
    delay = min(delay, Self.delay(frame))
  }

  /// The mean period between samples in nanoseconds by the clock of the strap.
  var period: Double {
    sampleCount > 1 ? Double(last - first) / Double(sampleCount - 1) : 1e9 / Double(rate)
  }

  /// The time of the first sample on the axis of the session.
  var start: MonotonicTime { time(of: first) }

  /// Returns the time of a sample on the axis of the session: its time by the clock of the strap, moved by the least delay with
  /// which a frame of the stretch arrived.
  func time(of sample: UInt64) -> MonotonicTime {
    MonotonicTime(microseconds: Int64(clamping: sample / 1000)).advanced(byMicroseconds: delay)
  }

  /// Returns the time of a sample, counted from 0, if all are a mean period apart.
  func time(at index: Int) -> MonotonicTime {
    start.advanced(byMicroseconds: Int64((Double(index) * period / 1000).rounded()))
  }

  private static func delay(_ frame: ECGFrame) -> Int64 {
    let last = MonotonicTime(microseconds: Int64(clamping: (frame.times.last ?? 0) / 1000))
    return frame.arrival.microseconds(since: last)
  }
}
