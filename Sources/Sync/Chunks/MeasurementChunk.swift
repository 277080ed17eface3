import StressKit
import TachogramCore

/// The content of a chunk of measurements: stress levels as their author computed them, and readings.
package struct MeasurementChunk: Hashable, Sendable {
  package var levels: [StressMeasurement]
  package var readings: [HRVReading]

  package init(levels: [StressMeasurement] = [], readings: [HRVReading] = []) {
    self.levels = levels
    self.readings = readings
  }
}
