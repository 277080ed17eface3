import GATT

/// A measurement stream to receive from a strap, with the wanted settings. The strap uses the nearest that it offers.
package struct SensorStreamRequest: Hashable, Sendable {
  package var measurement: PolarMeasurementType
  /// The sample rate in Hz.
  package var sampleRate: UInt16
  /// The range in the unit of the measurement; see `PolarSetting.range`.
  package var range: UInt16

  /// Creates a request. Measurements without a range, such as ECG, ignore it; PPI ignores both settings.
  package init(_ measurement: PolarMeasurementType, sampleRate: UInt16 = 0, range: UInt16 = 0) {
    self.measurement = measurement
    self.sampleRate = sampleRate
    self.range = range
  }
}
