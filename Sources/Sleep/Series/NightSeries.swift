/// Heart rate and movement of a night by epochs, as tools/lib/sleep/README.md defines them.
package struct NightSeries: Hashable, Sendable {
  /// The lengths of intervals of which a heart rate is made, in ms.
  private static let lengths = 300.0...2000
  /// The shortest sum of the intervals of an epoch, in ms.
  private static let shortestSum = 10_000.0
  /// The Gaussian that smooths amounts of movement: its deviation in epochs, and how many epochs it reaches. A causal estimator,
  /// which sees movement with a delay of five epochs, must not see more.
  private static let deviation = 50.0 / 30
  private static let (reachBefore, reachAfter, causalReachAfter) = (9, 9, 5)

  /// What the heart rates are from.
  package enum HeartRateSource: Hashable, Sendable {
    case samples, intervals
  }

  /// The heart rate of each epoch in beats per minute: of the samples of the sensor or of the intervals, whichever has more
  /// epochs, and of equal ones that of the sensor. `nil` without either.
  package let heartRate: EpochSeries?
  /// What it is from; `nil` without any.
  package let heartRateSource: HeartRateSource?
  /// The movement of each epoch, smoothed; `nil` without any.
  package let movement: EpochSeries?

  package init(_ night: SleepNight, isCausal: Bool) {
    let ofSamples = night.heartRates.isEmpty ? nil : Self.heartRate(of: night.heartRates, night.epochCount)
    let ofIntervals = night.beats.timedIntervals
    if let ofSamples, ofIntervals.isEmpty {
      (heartRate, heartRateSource) = (ofSamples, .samples)
    } else if !ofIntervals.isEmpty {
      let other = Self.heartRate(of: ofIntervals, night.epochCount)
      if let ofSamples, ofSamples.knownCount >= other.knownCount {
        (heartRate, heartRateSource) = (ofSamples, .samples)
      } else {
        (heartRate, heartRateSource) = (other, .intervals)
      }
    } else {
      (heartRate, heartRateSource) = (nil, nil)
    }
    guard !night.movements.isEmpty else {
      movement = nil
      return
    }
    let amounts = Self.means(night.movements.map { ($0.time, $0.intensity) }, night.epochCount)
    movement = night.movementForm == .smoothed ? amounts : Self.smoothed(amounts, isCausal: isCausal)
  }

  /// Returns the mean of the samples of each epoch. Of samples with equal times, the lowest counts.
  private static func heartRate(of samples: [HeartRateSample], _ count: Int) -> EpochSeries {
    var lowest: [(time: Int64, value: Double)] = []
    for sample in samples {
      if let last = lowest.last, last.time == sample.time {
        lowest[lowest.count - 1].value = min(last.value, sample.beatsPerMinute)
      } else {
        lowest.append((sample.time, sample.beatsPerMinute))
      }
    }
    return means(lowest, count)
  }

  /// Returns the number of intervals that end in each epoch over their sum.
  private static func heartRate(of intervals: [TimedInterval], _ count: Int) -> EpochSeries {
    var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: count)
    for interval in intervals where interval.end >= 0 && lengths.contains(interval.milliseconds) {
      let epoch = Int(interval.end / SleepAxis.ticksPerEpoch)
      if epoch < count { sums[epoch] = (sums[epoch].sum + interval.milliseconds, sums[epoch].count + 1) }
    }
    return EpochSeries(sums.map { $0.sum >= shortestSum ? 60_000 * Double($0.count) / $0.sum : .nan })
  }

  private static func means(_ samples: [(time: Int64, value: Double)], _ count: Int) -> EpochSeries {
    var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: count)
    for sample in samples {
      let epoch = Int(sample.time / SleepAxis.ticksPerEpoch)
      if epoch < count { sums[epoch] = (sums[epoch].sum + sample.value, sums[epoch].count + 1) }
    }
    return EpochSeries(sums.map { $0.count > 0 ? $0.sum / Double($0.count) : .nan })
  }

  private static func smoothed(_ amounts: EpochSeries, isCausal: Bool) -> EpochSeries {
    let values = amounts.values
    let offsets = -reachBefore...(isCausal ? causalReachAfter : reachAfter)
    let weights = offsets.map { offset in
      let distance = Double(offset) / deviation
      return SleepMaths.exponential(-0.5 * distance * distance)
    }
    return EpochSeries(
      values.indices.map { epoch in
        guard !values[epoch].isNaN else { return .nan }
        var (sum, total) = (0.0, 0.0)
        for (offset, weight) in zip(offsets, weights) where values.indices.contains(epoch + offset) {
          let value = values[epoch + offset]
          if !value.isNaN { (sum, total) = (sum + weight * value, total + weight) }
        }
        return sum / total
      })
  }
}
