import HeartRateKit
import Testing

struct HeartRateReadingTests {
  @Test func testValueWithEverything_IsDecoded() throws {
    // Flags, 72 bpm, 258 kJ, 1024 and 832 ticks of 1/1024 s.
    let reading = try HeartRateReading(decoding: [0x1E, 72, 0x02, 0x01, 0x00, 0x04, 0x40, 0x03])
    #expect(reading.heartRate == 72)
    #expect(reading.contact == .detected)
    #expect(reading.energyExpended == 258)
    #expect(reading.intervals == [1000, 812.5])
  }

  @Test func testWideRateWithoutMore_IsDecoded() throws {
    let reading = try HeartRateReading(decoding: [0x05, 0x2C, 0x01])
    #expect(reading.heartRate == 300)
    #expect(reading.contact == .notDetected)
    #expect(reading.energyExpended == nil)
    #expect(reading.intervals.isEmpty)
  }

  @Test(
    arguments: [
      ([], "byte 0"), ([0x01, 72], "byte 1"), ([0x10, 72, 0x00], "byte 2"), ([0x00, 72, 0x00], "byte 2"),
    ] as [([UInt8], String)])
  func testValueThatIsNone_IsRefusedByByte(value: [UInt8], place: String) {
    let error = #expect(throws: HeartRateError.self) { try HeartRateReading(decoding: value) }
    #expect(error?.description.contains(place) ?? false, "\(String(describing: error))")
  }
}
