import GATT
import TachogramCore
import Testing

struct HeartRateMeasurementCodecTests {
  // MARK: - Values

  @Test(arguments: HeartRateMeasurementVector.all)
  func testVector_DecodesToItsMeaning(vector: HeartRateMeasurementVector) throws {
    #expect(try HeartRateMeasurementCodec.decode(vector.bytes) == vector.measurement)
  }

  @Test(arguments: HeartRateMeasurementVector.all)
  func testMeaning_EncodesToTheVector(vector: HeartRateMeasurementVector) throws {
    let encoded = HeartRateMeasurementCodec.encode(vector.measurement)
    #expect((encoded == vector.bytes) == vector.isCanonical)
    #expect(try HeartRateMeasurementCodec.decode(encoded) == vector.measurement)
  }

  @Test(arguments: SensorContact.allCases, [UInt16](arrayLiteral: 0, 1, 72, 255, 256, 65_535))
  func testEveryCombinationOfFields_SurvivesEncoding(contact: SensorContact, heartRate: UInt16) throws {
    for energy in [nil, 0, 1, 256, 65_535] as [UInt16?] {
      for count in [0, 1, 2, 9, 254] {
        // Given
        let measurement = HeartRateMeasurement(
          heartRate: heartRate, contact: contact, energyExpended: energy,
          rrIntervals: RRIntervals((0..<count).map { RRInterval(ticks: UInt16($0 * 257)) }),
        )
        // When
        let narrow = HeartRateMeasurementCodec.encode(measurement)
        let wide = HeartRateMeasurementCodec.encode(measurement, wideRate: true)
        // Then
        #expect(try HeartRateMeasurementCodec.decode(narrow) == measurement)
        #expect(try HeartRateMeasurementCodec.decode(wide) == measurement)
        #expect(narrow.count == 1 + (heartRate > 255 ? 2 : 1) + (energy == nil ? 0 : 2) + 2 * count)
        #expect(wide.count == 1 + 2 + (energy == nil ? 0 : 2) + 2 * count)
      }
    }
  }

  // MARK: - Damaged values

  @Test(
    arguments: [
      ([], .empty(field: .flags)),
      ([0x00], .truncated(field: .heartRate, offset: 1, needed: 1, available: 0)),
      ([0x01], .truncated(field: .heartRate, offset: 1, needed: 2, available: 0)),
      ([0x01, 0x48], .truncated(field: .heartRate, offset: 1, needed: 2, available: 1)),
      ([0x08, 0x48], .truncated(field: .energyExpended, offset: 2, needed: 2, available: 0)),
      ([0x08, 0x48, 0x01], .truncated(field: .energyExpended, offset: 2, needed: 2, available: 1)),
      ([0x09, 0x48, 0x00, 0x01], .truncated(field: .energyExpended, offset: 3, needed: 2, available: 1)),
      ([0x10, 0x48, 0x20], .oddRRByte(offset: 2)),
      ([0x10, 0x48, 0x20, 0x03, 0x21], .oddRRByte(offset: 4)),
      ([0x19, 0x48, 0x00, 0x01, 0x00, 0x20], .oddRRByte(offset: 5)),
      ([0x00, 0x48, 0x00], .trailingBytes(offset: 2, count: 1)),
      ([0x06, 0x48, 0x20, 0x03], .trailingBytes(offset: 2, count: 2)),
      ([0x09, 0x48, 0x00, 0x01, 0x00, 0x20], .trailingBytes(offset: 5, count: 1)),
    ] as [([UInt8], GATTDecodingError)])
  func testDamagedValue_ThrowsTheFieldAndTheByte(bytes: [UInt8], error: GATTDecodingError) {
    #expect(throws: error) { try HeartRateMeasurementCodec.decode(bytes) }
  }

  @Test func testTruncationAnywhere_NeverTraps() {
    let value: [UInt8] = [0x1F, 0x2C, 0x01, 0x0A, 0x00, 0xCD, 0x00, 0xCE, 0x00]
    let lengths = (0...value.count).filter { (try? HeartRateMeasurementCodec.decode(value[..<$0])) != nil }
    #expect(lengths == [5, 7, 9])
  }
}
