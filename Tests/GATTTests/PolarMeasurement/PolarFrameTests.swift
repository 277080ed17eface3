import GATT
import Testing

/// Frames of each format: what they say, at every length.
struct PolarFrameTests {
  @Test(arguments: PolarFrameVector.all)
  func testFrame_HasItsSamplesAndTime(vector: PolarFrameVector) throws {
    let frame = try PolarMeasurementFrame.decode(vector.bytes[...], factor: vector.factor)
    #expect(PolarSampleRows.rows(frame.samples) == vector.rows)
    #expect(frame.samples.count == vector.rows.count)
    #expect(frame.header.measurement.rawValue == vector.bytes[0])
    #expect(frame.header.time == 0x0102_0304_0506_0708)
    #expect(frame.header.format.rawValue == vector.bytes[9])
    #expect(frame.header.format.isCompressed == (vector.bytes[9] >= 128))
    #expect(PolarFrameReference.read(vector.bytes, factor: vector.factor) == .success(vector.rows))
  }

  @Test func testFrameWithoutAFactor_HasTheFactorOne() throws {
    for vector in PolarFrameVector.all where vector.factor == 1 {
      #expect(PolarSampleRows.rows(try PolarMeasurementFrame.decode(vector.bytes).samples) == vector.rows)
    }
  }

  /// The upper bits of the type are states of the measurement.
  @Test func testUpperBitsOfTheType_AreNoPartOfIt() throws {
    for vector in PolarFrameVector.all {
      for bits: UInt8 in [0x40, 0x80, 0xC0] {
        let bytes = [vector.bytes[0] | bits] + vector.bytes.dropFirst()
        let frame = try PolarMeasurementFrame.decode(bytes[...], factor: vector.factor)
        #expect(frame.header.measurement.rawValue == vector.bytes[0])
        #expect(PolarSampleRows.rows(frame.samples) == vector.rows)
      }
    }
  }

  @Test(
    arguments: [
      ([], .empty(field: .measurementType)),
      ([2], .truncated(field: .frameTime, offset: 1, needed: 8, available: 0)),
      ([2, 0, 0, 0, 0, 0, 0, 0], .truncated(field: .frameTime, offset: 1, needed: 8, available: 7)),
      ([2, 0, 0, 0, 0, 0, 0, 0, 0], .truncated(field: .frameType, offset: 9, needed: 1, available: 0)),
      ([4, 0, 0, 0, 0, 0, 0, 0, 0, 0], .unsupported(field: .measurementType, value: 4, offset: 0)),
      ([0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0], .unsupported(field: .measurementType, value: 0xCE, offset: 0)),
      ([2, 0, 0, 0, 0, 0, 0, 0, 0, 3], .unsupported(field: .frameType, value: 3, offset: 9)),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80], .unsupported(field: .frameType, value: 0x80, offset: 9)),
      ([2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9], .truncated(field: .sample, offset: 10, needed: 6, available: 1)),
      ([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 0, 4], .truncated(field: .sample, offset: 10, needed: 6, available: 3)),
      (
        [2, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 1, 0, 2, 0, 3],
        .truncated(field: .referenceSample, offset: 10, needed: 6, available: 5)
      ),
      (
        [2, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 1, 0, 2, 0, 3, 0, 0, 1],
        .unsupported(field: .deltaSize, value: 0, offset: 16)
      ),
      (
        [2, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 1, 0, 2, 0, 3, 0, 33, 1],
        .unsupported(field: .deltaSize, value: 33, offset: 16)
      ),
      (
        [2, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 1, 0, 2, 0, 3, 0, 8],
        .truncated(field: .deltaCount, offset: 17, needed: 1, available: 0)
      ),
      (
        [2, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 1, 0, 2, 0, 3, 0, 8, 1, 0, 0],
        .truncated(field: .deltaSamples, offset: 18, needed: 3, available: 2)
      ),
      (Array(repeating: 2, count: 513), .tooLong(count: 513, limit: 512)),
    ] as [([UInt8], GATTDecodingError)])
  func testDamagedFrame_ThrowsTheFieldAndTheByte(bytes: [UInt8], error: GATTDecodingError) {
    #expect(throws: error) { try PolarMeasurementFrame.decode(bytes) }
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 0, -1, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
  func testImpossibleFactor_DoesNotTrap(factor: Float) throws {
    for vector in PolarFrameVector.all {
      let frame = try PolarMeasurementFrame.decode(vector.bytes[...], factor: factor)
      #expect(frame.samples.count == vector.rows.count)
    }
  }
}
