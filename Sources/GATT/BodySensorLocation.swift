/// Body Sensor Location, 0x2A38: where the sensor is worn (Heart Rate Service 1.0, 3.2). Values 7 … 255 are reserved.
package enum BodySensorLocation: UInt8, Hashable, Sendable, CaseIterable {
  case other = 0
  case chest = 1
  case wrist = 2
  case finger = 3
  case hand = 4
  case earLobe = 5
  case foot = 6
}

extension BodySensorLocation: GATTDecodable {
  /// Reads the one byte of the value.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> BodySensorLocation {
    let value = try singleByte(of: bytes, field: .bodySensorLocation)
    guard let location = BodySensorLocation(rawValue: value) else {
      throw .reserved(field: .bodySensorLocation, value: value, offset: 0)
    }
    return location
  }

  /// Writes the one byte of the value.
  package static func encode(_ location: BodySensorLocation) -> [UInt8] {
    [location.rawValue]
  }
}
