/// Puts the intervals of hrv messages in a row.
///
/// An hrv message has no timestamp: its intervals follow those of the message before. How much time is missing between two of
/// them is only known where the timer was stopped and started again, since those event messages have timestamps, in whole
/// seconds. Intervals that were recorded while the timer stood count against the pause: some watches write the last beats after
/// the event, others record on. A dropout of the strap while the timer runs leaves no trace in the file, and no gap here.
struct FITTimeline {
  /// What is left of a pause that is shorter than this, in ms, is only the rounding of its ends.
  private static let resolution = 1000.0

  private(set) var intervals: [RRSeries.Interval] = []
  /// Time missing before the next interval.
  private var gap: Double?
  /// When the timer stopped, if that is known, and the sum of the intervals since.
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

  /// Something is missing of which the length is not known.
  mutating func breakOff() {
    gap = gap ?? 0
  }
}
