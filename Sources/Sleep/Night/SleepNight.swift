/// The data of a night, the input of an estimator of stages: beats, heart rates and movement, each of which may be empty.
package struct SleepNight: Hashable, Sendable {
  /// The number of complete epochs of 30 s.
  package let epochCount: Int
  package let beats: NightBeats
  /// The heart rates, in order of time.
  package let heartRates: [HeartRateSample]
  /// The movement, in order of time.
  package let movements: [MovementSample]
  package let movementForm: MovementForm
  package let sleeper: Sleeper

  /// Creates a night. Throws if its length is negative or above a week, or if a sample is before its start, earlier than the
  /// one before it, or not a finite number of at least 0.
  package init(
    epochCount: Int, beats: NightBeats = NightBeats(), heartRates: [HeartRateSample] = [],
    movements: [MovementSample] = [], movementForm: MovementForm = .amounts, sleeper: Sleeper = Sleeper(),
  ) throws(SleepInputError) {
    if epochCount < 0 { throw .negativeLength(epochs: epochCount) }
    if epochCount > SleepAxis.maximumEpochCount {
      throw .tooLong(epochs: epochCount, limit: SleepAxis.maximumEpochCount)
    }
    try Self.validate(heartRates.map { ($0.time, $0.beatsPerMinute) })
    try Self.validate(movements.map { ($0.time, $0.intensity) })
    self.epochCount = epochCount
    self.beats = beats
    self.heartRates = heartRates
    self.movements = movements
    self.movementForm = movementForm
    self.sleeper = sleeper
  }

  private static func validate(_ samples: [(time: Int64, value: Double)]) throws(SleepInputError) {
    var last: Int64 = 0
    for (position, sample) in samples.enumerated() {
      if sample.time < 0 { throw .beforeStart(position: position) }
      if sample.time > SleepAxis.latest { throw .beyondAxis(position: position) }
      if sample.time < last { throw .unsorted(position: position) }
      if !sample.value.isFinite || sample.value < 0 { throw .invalidValue(position: position) }
      last = sample.time
    }
  }
}
