/// The movement of an epoch or of another stretch of some seconds.
package struct MovementSample: Hashable, Sendable {
  /// The time in ticks from the start of the night.
  package let time: Int64
  /// How strong the movement was, at least 0. The unit is that of the sensor: the stages compare it with the rest of the night.
  package let intensity: Double

  package init(time: Int64, intensity: Double) {
    (self.time, self.intensity) = (time, intensity)
  }
}
