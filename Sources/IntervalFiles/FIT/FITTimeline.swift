/// Arranges the intervals of hrv messages in a sequence.
///
/// An hrv message has no timestamp: its intervals follow those of the previous message. The missing time between two messages
/// is only known where the timer was stopped and restarted, since these event messages have timestamps, in whole seconds.
/// Intervals that were recorded while the timer was stopped are subtracted from the pause: some watches write the last beats
/// after the event, others continue recording. A dropout of the strap while the timer runs leaves no trace in the file, and
/// therefore no gap here.
struct FITTimeline {
  /// The rest of a pause below this limit, in ms, is attributed to rounding.
  private static let resolution = 1000.0

  private(set) var intervals: [RRSeries.Interval] = []
  /// The time missing before the next interval.
  private var gap: Double?
  /// The time at which the timer stopped, if known, and the sum of the intervals since then.
  private var pause: (start: UInt32?, recorded: Double)?

  mutating func add(milliseconds: Double) {
    intervals.append(.init(milliseconds: milliseconds, gap: intervals.isEmpty ? nil : gap))
    gap = nil
    pause?.recorded += milliseconds
  }

  mutating func stopTimer(at time: UInt32?) {
    if pause == nil { pause = (time, 0) }
  }

  mutating func startTimer(at time: UInt32?) {
    defer { pause = nil }
    guard let pause else { return }
    guard let start = pause.start, let time, time >= start else {
      if pause.recorded == 0 { breakOff() }
      return
    }
    let missing = Double(time - start) * 1000 - pause.recorded
    if pause.recorded == 0 || missing > Self.resolution { gap = (gap ?? 0) + max(0, missing) }
  }

  /// Adds a gap of unknown length.
  mutating func breakOff() {
    gap = gap ?? 0
  }
}
