import TachogramCore

/// An interval between two pulses of an optical sensor.
package struct PolarPPISample: Hashable, Sendable {
  /// The heart rate in beats per minute; 0 if it is not known.
  package var heartRate: UInt8
  /// The interval in milliseconds.
  package var interval: UInt16
  /// The expected absolute error of the interval in milliseconds. By Polar's documentation, below 10 ms an interval is probably
  /// accurate, and above 30 ms movement or a loose sensor may have disturbed it.
  package var errorEstimate: UInt16
  /// Whether the interval is invalid because of movement or another cause.
  package var isBlocked: Bool
  /// By Polar's documentation, the contact of OH1 and Verity Sense is unreliable.
  package var contact: SensorContact

  /// Creates a sample.
  package init(
    heartRate: UInt8, interval: UInt16, errorEstimate: UInt16, isBlocked: Bool = false,
    contact: SensorContact = .notSupported
  ) {
    self.heartRate = heartRate
    self.interval = interval
    self.errorEstimate = errorEstimate
    self.isBlocked = isBlocked
    self.contact = contact
  }
}
