import GATT
import Testing

struct BodySensorLocationTests {
  @Test(
    arguments: [
      (0, .other), (1, .chest), (2, .wrist), (3, .finger), (4, .hand), (5, .earLobe), (6, .foot),
    ] as [(UInt8, BodySensorLocation)])
  func testAssignedValue_DecodesAndEncodes(value: UInt8, location: BodySensorLocation) throws {
    #expect(try BodySensorLocation.decode([value]) == location)
    #expect(BodySensorLocation.encode(location) == [value])
  }

  @Test(arguments: UInt8(7)...UInt8.max)
  func testReservedValue_Throws(value: UInt8) {
    #expect(throws: GATTDecodingError.reserved(field: .bodySensorLocation, value: value, offset: 0)) {
      try BodySensorLocation.decode([value])
    }
  }

  @Test func testWrongLength_Throws() {
    #expect(throws: GATTDecodingError.empty(field: .bodySensorLocation)) { try BodySensorLocation.decode([]) }
    #expect(throws: GATTDecodingError.trailingBytes(offset: 1, count: 2)) {
      try BodySensorLocation.decode([1, 2, 3])
    }
  }
}
