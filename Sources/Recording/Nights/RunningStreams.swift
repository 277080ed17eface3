import GATT
import TachogramCore

/// The starts of the streams that run, without which frames cannot be read.
struct RunningStreams<Start: Sendable>: Sendable {
  private var starts: [PolarMeasurementType: Start] = [:]

  /// The starts, in no order.
  var all: [Start] { Array(starts.values) }

  /// Handles an entry with a content.
  mutating func note(_ entry: Start, _ content: SensorEntry.Content) {
    if let measurement = content.startedMeasurement { starts[measurement] = entry }
    for measurement in content.stoppedMeasurements { starts[measurement] = nil }
  }
}
