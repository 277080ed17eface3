/// The heart rate in the advertisements of Polar straps and watches, for rooms with more straps than an adapter can connect. It
/// is an average, without RR intervals, and none are derived from it.
///
/// Manufacturer data of company 0x006B, as Polar's own SDK reads it: parts that begin with a byte whose bit 6 is 0 are a heart
/// rate part (status, a counter of kHz steps, fast average, slow average); other parts have their length in the next byte.
///
///     status  bit 0 battery low, bit 1 skin contact, bits 2–4 frame counter, bit 5 broadcast on, bit 6 other part, bit 7 flags
package struct PolarBroadcast: Hashable, Sendable {
  /// Polar Electro Oy (Bluetooth Assigned Numbers, 7.1).
  package static let company: UInt16 = 0x006B

  private static let otherPart: UInt8 = 1 << 6

  /// The heart rate in beats per minute, averaged over a few seconds.
  package var heartRate: UInt8
  /// The heart rate in beats per minute, averaged over a longer time.
  package var slowHeartRate: UInt8
  package var hasContact: Bool
  package var isBatteryLow: Bool

  /// Reads manufacturer data, or returns `nil` if it has no heart rate.
  package init?(data: [UInt8]) {
    var offset = 0
    while offset < data.count {
      let status = data[offset]
      if status & Self.otherPart == 0 {
        guard offset + 3 <= data.count, data[offset + 2] > 0 else { return nil }
        heartRate = data[offset + 2]
        slowHeartRate = offset + 3 < data.count ? data[offset + 3] : heartRate
        hasContact = status & 1 << 1 != 0
        isBatteryLow = status & 1 != 0
        return
      }
      guard offset + 1 < data.count else { return nil }
      offset += 2 + Int(data[offset + 1])
    }
    return nil
  }
}
