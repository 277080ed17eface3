import GATT
import Testing

struct HeartRateControlPointTests {
  @Test func testResetEnergyExpended_DecodesAndEncodes() throws {
    #expect(try HeartRateControlPoint.decode([1]) == .resetEnergyExpended)
    #expect(HeartRateControlPoint.encode(.resetEnergyExpended) == [1])
  }

  @Test(arguments: UInt8.min...UInt8.max)
  func testAnyOtherValue_Throws(value: UInt8) {
    guard value != 1 else { return }
    #expect(throws: GATTDecodingError.reserved(field: .heartRateControlPoint, value: value, offset: 0)) {
      try HeartRateControlPoint.decode([value])
    }
  }

  @Test func testWrongLength_Throws() {
    #expect(throws: GATTDecodingError.empty(field: .heartRateControlPoint)) { try HeartRateControlPoint.decode([]) }
    #expect(throws: GATTDecodingError.trailingBytes(offset: 1, count: 1)) {
      try HeartRateControlPoint.decode([1, 1])
    }
  }
}
