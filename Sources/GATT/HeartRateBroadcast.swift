import TachogramCore

/// A heart rate that a strap or watch advertises, in one of the forms that are publicly known. It is an average, without RR
/// intervals, and none are derived from it.
package struct HeartRateBroadcast: Hashable, Sendable {
  /// The heart rate in beats per minute, averaged over a few seconds.
  package var heartRate: UInt8
  package var contact: SensorContact
  package var isBatteryLow: Bool

  package init(heartRate: UInt8, contact: SensorContact = .notSupported, isBatteryLow: Bool = false) {
    (self.heartRate, self.contact, self.isBatteryLow) = (heartRate, contact, isBatteryLow)
  }

  /// Reads manufacturer data by company, or returns `nil` if none of them has a heart rate.
  package init?(manufacturerData: [UInt16: [UInt8]]) {
    if let polar = manufacturerData[PolarBroadcast.company].flatMap(PolarBroadcast.init) {
      self.init(
        heartRate: polar.heartRate, contact: polar.hasContact ? .detected : .notDetected,
        isBatteryLow: polar.isBatteryLow)
    } else if let huami = manufacturerData[HuamiBroadcast.company].flatMap(HuamiBroadcast.init) {
      self.init(heartRate: huami.heartRate)
    } else {
      return nil
    }
  }
}
