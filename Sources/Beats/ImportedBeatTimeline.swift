import TachogramCore

/// The beats of a ledger that was made from a file of intervals (`SessionDescription.madeFrom`). Nothing was received, so
/// nothing is late or lost. The last interval of an entry ends at the time of the entry, and the end of a link is a gap up to
/// its time.
public struct ImportedBeatTimeline: Sendable {
  private var origin: MonotonicTime?
  private var lastBeat: MonotonicTime?
  private var pendingGap: (end: MonotonicTime, reason: BeatGap.Reason)?
  private var nextBeat: Int64 = 0
  private var nextGap: Int64 = 0
  /// The coverage of the session so far.
  public private(set) var coverage = BeatCoverage()

  /// Creates an empty timeline.
  public init() {}

  /// Handles an entry, whose last interval ends at `time`.
  public mutating func notification(
    _ measurement: borrowing HeartRateMeasurement, ledgerSequence: Int64, at time: MonotonicTime,
    into output: inout some BeatSink,
  ) {
    let intervals = measurement.rrIntervals
    let hasContact = measurement.contact != .notDetected
    if intervals.count > 0 { emitGap(ledgerSequence, into: &output) }
    var rest = intervals.ticks
    for position in 0..<intervals.count {
      let rr = intervals[position]
      rest -= Int64(rr.ticks)
      let begun = time.advanced(byMicroseconds: -(rest * 15_625 / 16))
      let end = max(begun, lastBeat ?? begun)
      let place = sixteenths(end)
      if lastBeat == nil { coverage.extend(to: place - Int64(rr.ticks) * 15_625) }
      let marks = BeatMarks(rr, hasContact: hasContact)
      coverage.add(marks.isOutOfRange ? 0 : Int64(rr.ticks) * 15_625, to: place)
      output.append(Beat(sequence: nextBeat, time: end, rr: rr, ledgerSequence: ledgerSequence, marks: marks))
      nextBeat += 1
      lastBeat = end
    }
  }

  /// Handles the end of a link: a gap from the last beat to `time`, for the reason given by `code`.
  public mutating func linkDown(at time: MonotonicTime, code: UInt8) {
    pendingGap = (time, BeatGap.Reason(code: code))
  }

  private mutating func emitGap(_ ledgerSequence: Int64, into output: inout some BeatSink) {
    guard let gap = pendingGap else { return }
    pendingGap = nil
    guard let lastBeat else { return }
    output.append(
      BeatGap(
        sequence: nextGap, start: lastBeat, end: max(lastBeat, gap.end), reason: gap.reason,
        ledgerSequence: ledgerSequence))
    nextGap += 1
  }

  private mutating func sixteenths(_ time: MonotonicTime) -> BeatTimeline.Sixteenths {
    let start = origin ?? time
    origin = start
    // No recording lasts ten years: beyond them, time stands still instead of overflowing.
    let limit: Int64 = 10 * 366 * 86_400 * 1_000_000
    return max(-limit, min(time.microseconds(since: start), limit)) * 16
  }
}
