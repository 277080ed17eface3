import GATT

/// A report that a measurement stream does not run.
package struct SensorStreamReport: Hashable, Sendable {
  /// The ordinal of the strap.
  package var strap: Int
  package var measurement: PolarMeasurementType
  package var fault: SensorStreamFault
  /// The time until the next attempt, or `nil` if the stream is given up for the rest of the link.
  package var retry: Duration?

  package init(strap: Int, measurement: PolarMeasurementType, fault: SensorStreamFault, retry: Duration?) {
    self.strap = strap
    self.measurement = measurement
    self.fault = fault
    self.retry = retry
  }
}
