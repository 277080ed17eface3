import GATT
import TachogramTestKit
import Testing

/// Requests, responses and notices as bytes.
struct PolarControlPointTests {
  @Test(
    arguments: [
      (.getSettings(.acceleration), [0x01, 0x02]),
      (.getSettings(.ecg), [0x01, 0x00]),
      (.start(.ppi, PolarSettings()), [0x02, 0x03]),
      (.start(.sdkMode, PolarSettings()), [0x02, 0x09]),
      (
        .start(.acceleration, PolarSettings([.sampleRate([25]), .resolution([16]), .range([2])])),
        [0x02, 0x02, 0x00, 0x01, 0x19, 0x00, 0x01, 0x01, 0x10, 0x00, 0x02, 0x01, 0x02, 0x00]
      ),
      (
        .start(.ecg, PolarSettings([.sampleRate([130]), .resolution([14])])),
        [0x02, 0x00, 0x00, 0x01, 0x82, 0x00, 0x01, 0x01, 0x0E, 0x00]
      ),
      (.stop(.acceleration), [0x03, 0x02]),
      (.stop(PolarMeasurementType(byte: 63)), [0x03, 0x3F]),
    ] as [(PolarControlPointRequest, [UInt8])])
  func testRequest_IsWrittenAndRead(request: PolarControlPointRequest, bytes: [UInt8]) throws {
    #expect(PolarControlPointRequest.encode(request) == bytes)
    #expect(try PolarControlPointRequest.decode(bytes) == request)
  }

  @Test(
    arguments: [
      ([], .empty(field: .controlPointOperation)),
      ([1], .truncated(field: .measurementType, offset: 1, needed: 1, available: 0)),
      ([2], .truncated(field: .measurementType, offset: 1, needed: 1, available: 0)),
      ([0, 2], .unsupported(field: .controlPointOperation, value: 0, offset: 0)),
      ([5], .unsupported(field: .controlPointOperation, value: 5, offset: 0)),
      // A recording in the memory of the strap.
      ([2, 0x82], .unsupported(field: .measurementType, value: 0x82, offset: 1)),
      ([1, 2, 0, 1], .trailingBytes(offset: 2, count: 2)),
      ([3, 2, 0], .trailingBytes(offset: 2, count: 1)),
      ([2, 2, 0], .truncated(field: .settingCount, offset: 3, needed: 1, available: 0)),
      ([2, 2, 0, 1, 25], .truncated(field: .settingValue, offset: 4, needed: 2, available: 1)),
      ([2, 2, 6, 1], .unsupported(field: .settingType, value: 6, offset: 2)),
    ] as [([UInt8], GATTDecodingError)])
  func testDamagedRequest_ThrowsTheFieldAndTheByte(bytes: [UInt8], error: GATTDecodingError) {
    #expect(throws: error) { try PolarControlPointRequest.decode(bytes) }
  }

  @Test func testResponseWithSettings_IsReadAndWritten() throws {
    // What an H10 answers about its acceleration.
    let settings: [UInt8] = [
      0x00, 0x04, 0x19, 0x00, 0x32, 0x00, 0x64, 0x00, 0xC8, 0x00, 0x01, 0x01, 0x10, 0x00, 0x02, 0x03, 0x02, 0x00, 0x04,
      0x00, 0x08, 0x00,
    ]
    let bytes = [0xF0, 0x01, 0x02, 0x00, 0x00] + settings
    let response = try PolarControlPointResponse.decode(bytes)
    #expect(response.operation == .getSettings)
    #expect(response.measurement == .acceleration)
    #expect(response.status == .success)
    #expect(!response.hasMore)
    #expect(
      try response.settings()
        == PolarSettings([.sampleRate([25, 50, 100, 200]), .resolution([16]), .range([2, 4, 8])]))
    #expect(PolarControlPointResponse.encode(response) == bytes)
    #expect(try PolarControlPointIndication.decode(bytes) == .response(response))
    #expect(PolarControlPointIndication.encode(.response(response)) == bytes)
  }

  @Test func testResponseToAStart_HasTheFactor() throws {
    let bytes: [UInt8] = [0xF0, 0x02, 0x02, 0x00, 0x00, 0x05, 0x01, 0x00, 0x00, 0x80, 0x39]
    #expect(try PolarControlPointResponse.decode(bytes).settings().factor == 0x1p-12)
  }

  @Test(
    arguments: [
      ([0xF0, 3, 2, 0], PolarControlPointResponse(to: .stop, .acceleration, status: .success)),
      ([0xF0, 3, 2, 0, 0], PolarControlPointResponse(to: .stop, .acceleration, status: .success)),
      // A byte too many, which is no setting.
      ([0xF0, 2, 0, 0, 0, 0], PolarControlPointResponse(to: .start, .ecg, status: .success, parameters: [0])),
      ([0xF0, 2, 2, 6, 0], PolarControlPointResponse(to: .start, .acceleration, status: .alreadyInState)),
      // A failure has one part.
      ([0xF0, 2, 2, 10, 1], PolarControlPointResponse(to: .start, .acceleration, status: .invalidMTU)),
      (
        [0xF0, 1, 2, 0, 2], PolarControlPointResponse(to: .getSettings, .acceleration, status: .success, hasMore: true)
      ),
    ] as [([UInt8], PolarControlPointResponse)])
  func testResponse_IsRead(bytes: [UInt8], response: PolarControlPointResponse) throws {
    #expect(try PolarControlPointResponse.decode(bytes) == response)
    #expect(try PolarControlPointResponse.decode(PolarControlPointResponse.encode(response)) == response)
    #expect(try response.settings() == PolarSettings())
  }

  @Test(
    arguments: [
      ([], .empty(field: .controlPointCode)),
      ([0x0F, 5, 0], .unsupported(field: .controlPointCode, value: 0x0F, offset: 0)),
      ([0xF0], .truncated(field: .controlPointOperation, offset: 1, needed: 1, available: 0)),
      ([0xF0, 1], .truncated(field: .measurementType, offset: 2, needed: 1, available: 0)),
      ([0xF0, 1, 2], .truncated(field: .controlPointStatus, offset: 3, needed: 1, available: 0)),
      ([1], .truncated(field: .measurementType, offset: 1, needed: 1, available: 0)),
    ] as [([UInt8], GATTDecodingError)])
  func testDamagedIndication_ThrowsTheFieldAndTheByte(bytes: [UInt8], error: GATTDecodingError) {
    #expect(throws: error) { try PolarControlPointIndication.decode(bytes) }
  }

  @Test func testNotice_NamesTheStoppedMeasurements() throws {
    #expect(try PolarControlPointIndication.decode([1, 2]) == .stopped([.acceleration]))
    #expect(PolarControlPointIndication.encode(.stopped([.acceleration, .ecg])) == [1, 2, 0])
    let unknown = PolarMeasurementType(byte: 40)
    #expect(try PolarControlPointIndication.decode([1, 0x80, 40]) == .stopped([.ecg, unknown]))
  }

  @Test func testStatuses_HaveTheirNumbersAndWords() {
    #expect(PolarControlPointStatus.alreadyInState.rawValue == 6)
    #expect(PolarControlPointStatus.invalidMTU.rawValue == 10)
    #expect(PolarControlPointStatus.invalidState.rawValue == 12)
    #expect(PolarControlPointStatus.inCharger.rawValue == 13)
    let words = (0...255 as ClosedRange<UInt8>).map { PolarControlPointStatus(rawValue: $0).description }
    #expect(Set(words).count == 256)
    #expect(words[10] == "invalid MTU")
    #expect(words[15] == "status 15")
  }

  @Test func testMeasurementTypes_HaveDistinctNames() {
    let words = (0...63).map { PolarMeasurementType(byte: $0).description }
    #expect(Set(words).count == 64)
    #expect(words[2] == "acceleration")
    #expect(words[4] == "measurement 4")
    #expect(PolarMeasurementType(rawValue: 64) == nil)
    #expect(PolarMeasurementType(rawValue: 63)?.rawValue == 63)
  }

  /// Every length of random bytes behind every first byte that means something ends in a value or an error inside of it.
  @Test func testAnyBytes_EndInAValueOrAnErrorInsideThem() throws {
    for seed in 0..<400 as Range<UInt64> {
      let noise = SplitMix64.bytes(60, seed: seed).map { seed.isMultiple(of: 2) ? $0 : $0 & 0x07 }
      for head in [[0x0F], [0xF0], [0xF0, 1, 2, 0, 0], [0x01], [0x02, 0x02], [0x03]] as [[UInt8]] {
        for length in 0...40 {
          let bytes = head + noise.prefix(length)
          try PolarErrorCheck.check(bytes) { bytes throws(GATTDecodingError) in
            _ = try PolarMeasurementFeatures.decode(bytes)
          }
          try PolarErrorCheck.check(bytes) { bytes throws(GATTDecodingError) in
            let request = try PolarControlPointRequest.decode(bytes)
            #expect(PolarControlPointRequest.encode(request) == bytes)
          }
          try PolarErrorCheck.check(bytes) { bytes throws(GATTDecodingError) in
            let indication = try PolarControlPointIndication.decode(bytes)
            let encoded = PolarControlPointIndication.encode(indication)
            #expect(try PolarControlPointIndication.decode(encoded) == indication)
          }
          try PolarErrorCheck.check(bytes) { bytes throws(GATTDecodingError) in
            #expect(PolarSettings.encode(try PolarSettings.decode(bytes)) == bytes)
          }
        }
      }
    }
  }
}
