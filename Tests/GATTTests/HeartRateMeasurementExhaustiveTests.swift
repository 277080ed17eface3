import GATT
import TachogramCore
import Testing

/// Every flags byte with every length from 0 to 32, against the second reading.
struct HeartRateMeasurementExhaustiveTests {
  /// How the bytes behind the flags are filled.
  enum Fill: CaseIterable {
    case zeros, ones, ascending, descending, alternating, mixed

    func byte(at position: Int, flags: UInt8) -> UInt8 {
      switch self {
      case .zeros: 0x00
      case .ones: 0xFF
      case .ascending: UInt8(position)
      case .descending: 0xFF - UInt8(position)
      case .alternating: position.isMultiple(of: 2) ? 0x03 : 0xA0
      case .mixed: UInt8(truncatingIfNeeded: (position + 31 * Int(flags)) &* 2_654_435_761 >> 13)
      }
    }
  }

  @Test(arguments: Fill.allCases)
  func testEveryFlagsByteAndLength_ReadsAsTheReference(fill: Fill) {
    var disagreements: [[UInt8]] = []
    var values = 0
    for flags in UInt8.min...UInt8.max {
      for length in 0...32 {
        let value = Array(([flags] + (0..<32).map { fill.byte(at: $0, flags: flags) }).prefix(length))
        let decoded = Result { () throws(GATTDecodingError) in try HeartRateMeasurementCodec.decode(value) }
        if decoded != HeartRateMeasurementReference.read(value) { disagreements.append(value) }
        values += 1
      }
    }
    #expect(disagreements.isEmpty)
    #expect(values == 256 * 33)
  }

  @Test(arguments: Fill.allCases)
  func testSliceOfALargerBuffer_ReadsAsTheValueAlone(fill: Fill) {
    var disagreements: [[UInt8]] = []
    for flags in UInt8.min...UInt8.max {
      for length in 1...12 {
        let value = [flags] + (1..<length).map { fill.byte(at: $0, flags: flags) }
        let buffer = [0xDE, 0xAD, 0xBE] + value + [0xEF, 0x01]
        let alone = Result { () throws(GATTDecodingError) in try HeartRateMeasurementCodec.decode(value) }
        let within = Result { () throws(GATTDecodingError) in
          try HeartRateMeasurementCodec.decode(buffer[3..<(3 + length)])
        }
        if alone != within { disagreements.append(value) }
      }
    }
    #expect(disagreements.isEmpty)
  }

  @Test(arguments: Fill.allCases)
  func testWellFormedValue_SurvivesEncoding(fill: Fill) throws {
    for flags in UInt8.min...UInt8.max {
      for length in 0...32 {
        let value = Array(([flags] + (0..<32).map { fill.byte(at: $0, flags: flags) }).prefix(length))
        guard let measurement = try? HeartRateMeasurementCodec.decode(value) else { continue }
        let narrow = HeartRateMeasurementCodec.encode(measurement)
        let wide = HeartRateMeasurementCodec.encode(measurement, wideRate: true)
        try #require(try HeartRateMeasurementCodec.decode(narrow) == measurement)
        try #require(try HeartRateMeasurementCodec.decode(wide) == measurement)
      }
    }
  }
}
