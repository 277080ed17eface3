/// RR intervals interpolated linearly at 4 Hz. Outside the beats, and beside an interval that is not valid, there is no value;
/// at the very time of a beat there is that of its own interval.
struct IntervalGrid {
  /// The values in a second.
  static let frequency = 4
  /// The values in an epoch.
  static let valuesPerEpoch = frequency * Int(SleepAxis.epochSeconds)
  private static let step = SleepAxis.ticksPerSecond / Int64(frequency)

  /// The intervals in s, or NaN, from the start of the window of the first epoch to the end of that of the last.
  let values: [Double]

  /// Interpolates for a night with at least one epoch.
  init(_ intervals: [NightInterval], epochCount: Int, window: SleepECGWindow) {
    let count = (epochCount - 1 + window.length) * Self.valuesPerEpoch
    let first = -Int64(window.lookback * Self.valuesPerEpoch)
    var values = [Double](repeating: .nan, count: count)
    for (position, interval) in intervals.enumerated() {
      let length = Self.seconds(interval)
      // The grid from the first place after the beat before, which has its own value, to the beat.
      let after = position == 0 ? interval.end - 1 : intervals[position - 1].end
      var place = max(first, Self.floor(after) + 1)
      let last = min(first + Int64(count) - 1, Self.floor(interval.end))
      while place <= last {
        let time = place * Self.step
        if time == interval.end {
          values[Int(place - first)] = length
        } else if position > 0 {
          let before = intervals[position - 1]
          let slope = (length - Self.seconds(before)) / Double(interval.end - before.end)
          values[Int(place - first)] = slope * Double(time - before.end) + Self.seconds(before)
        }
        place += 1
      }
      // Beats at the same time: the last one counts.
      if position > 0, after == interval.end, interval.end % Self.step == 0 {
        let place = interval.end / Self.step
        if (first..<first + Int64(count)).contains(place) { values[Int(place - first)] = length }
      }
    }
    self.values = values
  }

  private static func seconds(_ interval: NightInterval) -> Double {
    interval.isValid ? Double(interval.ticks) / Double(SleepAxis.ticksPerSecond) : .nan
  }

  /// The last place of the grid that is not after a time.
  private static func floor(_ time: Int64) -> Int64 {
    let (whole, rest) = time.quotientAndRemainder(dividingBy: step)
    return rest < 0 ? whole - 1 : whole
  }
}
