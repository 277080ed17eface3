import StressKit
import TachogramCore

/// The content of a chunk of measurements: stress levels as their author computed them, and readings.
package struct MeasurementChunk: Hashable, Sendable {
  package var levels: [StressMeasurement]
  package var readings: [HRVReading]
  /// The derivation of the levels, or `nil` if their session was derived once.
  package var derivation: LevelDerivation?

  package init(levels: [StressMeasurement] = [], readings: [HRVReading] = [], derivation: LevelDerivation? = nil) {
    self.levels = levels
    self.readings = readings
    self.derivation = derivation
  }
}
