import Sleep

/// Nights whose heart rate and movement by epochs are given.
enum SeriesNight {
  /// Returns a night with a sample at the start of each epoch that has a value.
  static func night(heartRate: [Double]?, movement: [Double]?) throws -> SleepNight {
    try SleepNight(
      epochCount: heartRate?.count ?? movement?.count ?? 0,
      heartRates: samples(heartRate).map { HeartRateSample(time: $0, beatsPerMinute: $1) },
      movements: samples(movement).map { MovementSample(time: $0, intensity: $1) }, movementForm: .smoothed)
  }

  private static func samples(_ values: [Double]?) -> [(Int64, Double)] {
    (values ?? []).enumerated().filter { !$1.isNaN }.map { (Int64($0) * SleepAxis.ticksPerEpoch, $1) }
  }
}
