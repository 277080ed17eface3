import TachogramCore

/// The RR intervals of a night in order of time. The networks use those between normal beats, and heart rates are made of those
/// between beats of any kind; a strap does not tell them apart.
///
/// An interval across a gap is invalid, whatever its length, and it ends where the first interval after the gap begins. So
/// nothing is interpolated across a gap, and the intervals at its two sides are no pair.
package struct NightBeats: Hashable, Sendable {
  /// The intervals between normal beats; their ends do not decrease.
  package let intervals: [NightInterval]
  /// The intervals between beats of any kind, if they are known apart.
  private let ofAllBeats: [TimedInterval]?

  /// Creates a night without beats.
  package init() {
    (intervals, ofAllBeats) = ([], nil)
  }

  /// Creates a night from the intervals between normal beats and from those between beats of any kind, in order of time. Throws
  /// if an end is negative, beyond the axis, or earlier than the one before it.
  package init(normal: [NightInterval], all: [TimedInterval]) throws(SleepInputError) {
    try Self.validate(normal.map(\.end))
    try Self.validate(all.map(\.end))
    (intervals, ofAllBeats) = (normal, all)
  }

  private static func validate(_ ends: [Int64]) throws(SleepInputError) {
    for (position, end) in ends.enumerated() {
      if end < 0 { throw .beforeStart(position: position) }
      if end > SleepAxis.latest { throw .beyondAxis(position: position) }
      if position > 0, end < ends[position - 1] { throw .unsorted(position: position) }
    }
  }

  /// Creates intervals between beats at `times`, in ticks from the start of the night. Throws if a time is negative, beyond the
  /// axis, or earlier than the one before it.
  package init(beatsAt times: [Int64]) throws(SleepInputError) {
    try Self.validate(times)
    intervals = zip(times, times.dropFirst()).map { NightInterval(end: $1, ticks: $1 - $0) }
    ofAllBeats = nil
  }

  /// Creates the intervals of beats and gaps of a session, in their order, on an axis that begins at `start`. Beats before it
  /// and those beyond the axis are left out. Intervals without skin contact are invalid. Within a stretch without gaps, ends
  /// are exact sums of intervals; beats elsewhere are at the nearest tick. Throws if a beat is earlier than the one before it.
  package init(_ events: some Sequence<BeatEvent>, from start: MonotonicTime) throws(SleepInputError) {
    var (intervals, position, followsGap) = ([NightInterval](), 0, false)
    for event in events {
      guard case .beat(let beat) = event else {
        followsGap = true
        continue
      }
      defer { (position, followsGap) = (position + 1, false) }
      var end = SleepAxis.ticks(microseconds: beat.time.microseconds(since: start))
      let ticks = Int64(beat.rr.ticks)
      if let last = intervals.last?.end {
        if end + 1 < last { throw .unsorted(position: position) }
        if !followsGap, abs(last + ticks - end) <= 1 {
          end = last + ticks
        } else if followsGap || end - ticks > last {
          end = max(end, last)
          let resumed = min(max(end - ticks, last), end)
          intervals.append(NightInterval(end: resumed, ticks: resumed - last, isValid: false))
        }
        end = max(end, last)
      }
      if (0...SleepAxis.latest).contains(end) {
        intervals.append(NightInterval(end: end, ticks: ticks, isValid: !beat.marks.isWithoutContact))
      }
    }
    self.intervals = intervals
    ofAllBeats = nil
  }

  /// The intervals of which heart rates are made: those between beats of any kind, or the valid ones of `intervals`.
  package var timedIntervals: [TimedInterval] {
    ofAllBeats
      ?? intervals.filter(\.isValid).map { interval in
        TimedInterval(end: interval.end, milliseconds: Double(interval.ticks) * 1000 / Double(SleepAxis.ticksPerSecond))
      }
  }

  /// The time in ticks that valid intervals cover in each of the first `epochCount` epochs.
  package func coveredTicks(epochCount: Int) -> [Int64] {
    var covered = [Int64](repeating: 0, count: epochCount)
    let end = Int64(epochCount) * SleepAxis.ticksPerEpoch
    var last: Int64 = 0
    for interval in intervals {
      defer { last = max(last, interval.end) }
      guard interval.isValid else { continue }
      var from = max(interval.end - interval.ticks, last)
      let to = min(interval.end, end)
      while from < to {
        let epoch = from / SleepAxis.ticksPerEpoch
        let upper = min(to, (epoch + 1) * SleepAxis.ticksPerEpoch)
        covered[Int(epoch)] += upper - from
        from = upper
      }
    }
    return covered
  }
}
