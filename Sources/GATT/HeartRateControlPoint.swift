/// Heart Rate Control Point, 0x2A39: a command to the sensor (Heart Rate Service 1.0, 3.3). All other values are reserved.
package enum HeartRateControlPoint: UInt8, Hashable, Sendable, CaseIterable {
  /// Sets the energy expended to 0.
  case resetEnergyExpended = 1
}

extension HeartRateControlPoint: GATTDecodable {
  /// Reads the one byte of the value.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> HeartRateControlPoint {
    let value = try singleByte(of: bytes, field: .heartRateControlPoint)
    guard let command = HeartRateControlPoint(rawValue: value) else {
      throw .reserved(field: .heartRateControlPoint, value: value, offset: 0)
    }
    return command
  }

  /// Writes the one byte of the value.
  package static func encode(_ command: HeartRateControlPoint) -> [UInt8] {
    [command.rawValue]
  }
}
