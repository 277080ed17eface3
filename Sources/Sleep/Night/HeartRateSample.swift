/// A heart rate that a sensor reported.
package struct HeartRateSample: Hashable, Sendable {
  /// The time in ticks from the start of the night.
  package let time: Int64
  /// The heart rate in beats per minute.
  package let beatsPerMinute: Double

  package init(time: Int64, beatsPerMinute: Double) {
    (self.time, self.beatsPerMinute) = (time, beatsPerMinute)
  }
}
