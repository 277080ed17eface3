import GATT
import Testing

struct BatteryLevelTests {
  @Test(arguments: UInt8(0)...100)
  func testPercentage_DecodesAndEncodes(percent: UInt8) throws {
    let level = try BatteryLevel.decode([percent])
    #expect(level.percent == percent)
    #expect(BatteryLevel.encode(level) == [percent])
  }

  @Test(arguments: UInt8(101)...UInt8.max)
  func testMoreThanAll_Throws(value: UInt8) {
    #expect(BatteryLevel(percent: value) == nil)
    #expect(throws: GATTDecodingError.reserved(field: .batteryLevel, value: value, offset: 0)) {
      try BatteryLevel.decode([value])
    }
  }

  @Test func testWrongLength_Throws() {
    #expect(throws: GATTDecodingError.empty(field: .batteryLevel)) { try BatteryLevel.decode([]) }
    #expect(throws: GATTDecodingError.trailingBytes(offset: 1, count: 1)) { try BatteryLevel.decode([50, 0]) }
  }
}
