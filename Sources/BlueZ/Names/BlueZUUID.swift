import GATT

/// UUIDs in the form that the daemon uses: 128 bits, lower case.
package enum BlueZUUID {
  package static let heartRateService = text(GATTUUID.heartRateService)
  package static let heartRateMeasurement = text(GATTUUID.heartRateMeasurement)
  package static let controlPoint = text(GATTUUID.heartRateControlPoint)

  /// A 16-bit UUID on the Bluetooth base UUID (Core Specification 5.4, Vol 3, Part B, 2.5.1).
  package static func text(_ short: UInt16) -> String {
    let digits = String(short, radix: 16)
    return "0000" + String(repeating: "0", count: 4 - digits.utf8.count) + digits + "-0000-1000-8000-00805f9b34fb"
  }

  /// Returns the 16 bits of a UUID on the base UUID, or `nil` for other UUIDs.
  package static func short(_ text: String) -> UInt16? {
    let text = text.lowercased()
    guard text.utf8.count == 36, text.hasPrefix("0000"), text.hasSuffix("-0000-1000-8000-00805f9b34fb") else {
      return nil
    }
    return UInt16(text.dropFirst(4).prefix(4), radix: 16)
  }
}
