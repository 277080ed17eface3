import TachogramCore

/// How much a sleeper moved: the percentage of the epochs of the sleep period, from the first epoch of sleep to the last, in
/// which the mean intensity of movement is above a threshold.
package enum Restlessness {
  /// The threshold for `MovementEpoch.intensity`, in milli-g: above the noise of the sensor, the breath and the pulse. It was
  /// chosen, and no standard exists.
  package static let movementOfStraps = 20.0

  /// Returns the percentage among the epochs with movement data. `threshold` has the unit of the sensor. Returns `nil` without
  /// sleep, and if fewer than half of the epochs have data. `movements` begin where `stages` do.
  package static func percentage(
    _ stages: [SleepStage], movements: [MovementSample], threshold: Double
  ) -> Double? {
    guard let first = stages.firstIndex(where: \.isSleep), let last = stages.lastIndex(where: \.isSleep) else {
      return nil
    }
    var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: last - first + 1)
    for movement in movements where movement.time >= 0 {
      let place = Int(movement.time / SleepAxis.ticksPerEpoch) - first
      if sums.indices.contains(place) { sums[place] = (sums[place].sum + movement.intensity, sums[place].count + 1) }
    }
    let covered = sums.filter { $0.count > 0 }
    guard 2 * covered.count >= sums.count else { return nil }
    return 100 * Double(covered.count { $0.sum / Double($0.count) > threshold }) / Double(covered.count)
  }
}
