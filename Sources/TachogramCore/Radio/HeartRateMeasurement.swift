/// A decoded Heart Rate Measurement (characteristic 0x2A37).
public struct HeartRateMeasurement: Hashable, Sendable {
  /// The heart rate averaged by the strap, in beats per minute.
  public var heartRate: UInt16
  /// Skin contact.
  public var contact: SensorContact
  /// The energy expended since the strap's counter was reset, in kilojoules, or `nil` if the strap does not report it.
  public var energyExpended: UInt16?
  /// The RR intervals, the oldest first; may be empty.
  public var rrIntervals: RRIntervals

  /// Creates a measurement from its parts.
  public init(
    heartRate: UInt16, contact: SensorContact = .notSupported, energyExpended: UInt16? = nil,
    rrIntervals: RRIntervals = RRIntervals(),
  ) {
    self.heartRate = heartRate
    self.contact = contact
    self.energyExpended = energyExpended
    self.rrIntervals = rrIntervals
  }
}
