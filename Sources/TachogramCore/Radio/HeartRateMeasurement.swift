/// A decoded Heart Rate Measurement (characteristic 0x2A37).
public struct HeartRateMeasurement: Hashable, Sendable {
  /// Heart rate as the strap averages it, in beats per minute.
  public var heartRate: UInt16
  /// Skin contact.
  public var contact: SensorContact
  /// Energy expended since the strap's counter was reset, in kilojoules; `nil` when the strap does not say.
  public var energyExpended: UInt16?
  /// RR intervals, the oldest first; any number, none included.
  public var rrIntervals: RRIntervals

  /// A measurement of these parts.
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
