import GATT
import Testing

/// The value that is read from the control point.
struct PolarMeasurementFeaturesTests {
  @Test func testH10_HasECGAndAcceleration() throws {
    let bytes = [0x0F, 0x05] + [UInt8](repeating: 0, count: 15)
    let features = try PolarMeasurementFeatures.decode(bytes)
    #expect(features.measurements == [.ecg, .acceleration])
    #expect(features.contains(.acceleration))
    #expect(!features.contains(.ppi))
    #expect(PolarMeasurementFeatures.encode(PolarMeasurementFeatures([.acceleration, .ecg])) == bytes)
    #expect(try PolarMeasurementFeatures.decode([0x0F, 0x05]) == features)
  }

  /// PPG, acceleration, PPI, gyroscope, magnetometer, and SDK mode in the second byte.
  @Test func testVeritySense_HasSDKMode() throws {
    let features = try PolarMeasurementFeatures.decode([0x0F, 0x6E, 0x02])
    #expect(features.measurements == [.ppg, .acceleration, .ppi, .gyroscope, .magnetometer, .sdkMode])
  }

  @Test func testEveryBit_IsItsMeasurement() throws {
    for type in 0..<128 {
      var bytes = [UInt8](repeating: 0, count: 17)
      bytes[0] = 0x0F
      bytes[1 + type / 8] = 1 << UInt8(type % 8)
      let features = try PolarMeasurementFeatures.decode(bytes)
      #expect(features.measurements == (type < 64 ? [PolarMeasurementType(byte: UInt8(type))] : []), "\(type)")
      if type < 64 { #expect(PolarMeasurementFeatures.encode(features) == bytes) }
    }
  }

  @Test(
    arguments: [
      ([], .empty(field: .controlPointCode)),
      ([0x0F], .truncated(field: .measurementFeatures, offset: 1, needed: 1, available: 0)),
      ([0xF0, 0x05], .unsupported(field: .controlPointCode, value: 0xF0, offset: 0)),
      ([0x0F] + Array(repeating: 0, count: 18), .trailingBytes(offset: 17, count: 2)),
    ] as [([UInt8], GATTDecodingError)])
  func testDamagedFeatures_ThrowTheFieldAndTheByte(bytes: [UInt8], error: GATTDecodingError) {
    #expect(throws: error) { try PolarMeasurementFeatures.decode(bytes) }
  }
}
