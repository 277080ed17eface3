import TachogramCore

/// The RR intervals of a night in order of time.
///
/// An interval across a gap is invalid, whatever its length, and it ends where the first interval after the gap begins. So
/// nothing is interpolated across a gap, and the intervals at its two sides are no pair.
package struct NightBeats: Hashable, Sendable {
  /// The intervals; their ends do not decrease.
  package let intervals: [NightInterval]

  /// Creates a night without beats.
  package init() {
    intervals = []
  }

  /// Creates intervals between beats at `times`, in ticks from the start of the night. Throws if a time is negative, beyond the
  /// axis, or earlier than the one before it.
  package init(beatsAt times: [Int64]) throws(SleepInputError) {
    var intervals: [NightInterval] = []
    intervals.reserveCapacity(times.count)
    for (position, time) in times.enumerated() {
      if time < 0 { throw .beforeStart(position: position) }
      if time > SleepAxis.latest { throw .beyondAxis(position: position) }
      guard position > 0 else { continue }
      let before = times[position - 1]
      if time < before { throw .unsorted(position: position) }
      intervals.append(NightInterval(end: time, ticks: time - before))
    }
    self.intervals = intervals
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
