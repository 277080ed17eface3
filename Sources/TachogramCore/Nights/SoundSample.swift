/// The sound level in one epoch of 30 s.
package struct SoundSample: Hashable, Sendable {
  /// The start of the epoch.
  package var time: MonotonicTime
  /// The equivalent continuous level, A-weighted, in dB relative to full scale; at most 0.
  package var level: Double
  /// The highest A-weighted level with fast time weighting, in the same unit.
  package var peak: Double

  package init(time: MonotonicTime, level: Double, peak: Double) {
    self.time = time
    self.level = level
    self.peak = peak
  }
}
