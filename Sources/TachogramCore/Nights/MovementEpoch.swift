/// The movement in one epoch of 30 s, which begins at a multiple of 30 s after the start of its session.
package struct MovementEpoch: Hashable, Sendable {
  /// The start of the epoch.
  package var time: MonotonicTime
  /// The mean absolute change of the acceleration between neighbouring samples at 10 Hz, in milli-g.
  package var intensity: Double
  /// The share of the epoch that samples cover, 0 … 1.
  package var coverage: Double

  package init(time: MonotonicTime, intensity: Double, coverage: Double) {
    self.time = time
    self.intensity = intensity
    self.coverage = coverage
  }
}
