/// Battery Level, 0x2A19: the charge of the battery (Battery Service 1.0, 3.1). Values 101 … 255 are reserved.
package struct BatteryLevel: Hashable, Sendable {
  /// The charge in percent, 0 … 100.
  package let percent: UInt8

  /// Creates a battery level, or returns `nil` above 100 percent.
  package init?(percent: UInt8) {
    guard percent <= 100 else { return nil }
    self.percent = percent
  }
}

extension BatteryLevel: GATTDecodable {
  /// Reads the one byte of the value.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> BatteryLevel {
    let value = try singleByte(of: bytes, field: .batteryLevel)
    guard let level = BatteryLevel(percent: value) else {
      throw .reserved(field: .batteryLevel, value: value, offset: 0)
    }
    return level
  }

  /// Writes the one byte of the value.
  package static func encode(_ level: BatteryLevel) -> [UInt8] {
    [level.percent]
  }
}
