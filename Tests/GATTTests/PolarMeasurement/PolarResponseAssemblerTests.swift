import GATT
import TachogramTestKit
import Testing

/// Responses in several parts.
struct PolarResponseAssemblerTests {
  private static let request = PolarControlPointRequest.getSettings(.acceleration)

  private static func response(_ parameters: [UInt8], hasMore: Bool = false) -> PolarControlPointResponse {
    PolarControlPointResponse(
      to: .getSettings, .acceleration, status: .success, hasMore: hasMore, parameters: parameters)
  }

  @Test func testParts_AreJoined() throws {
    var assembler = PolarResponseAssembler(request: Self.request)
    #expect(try assembler.append(PolarControlPointResponse.decode([0xF0, 1, 2, 0, 1, 0, 2, 25])) == nil)
    #expect(try assembler.append(PolarControlPointResponse.decode([0xF0, 1, 2, 0, 1, 0, 50])) == nil)
    let whole = try assembler.append(PolarControlPointResponse.decode([0xF0, 1, 2, 0, 0, 0]))
    #expect(whole == Self.response([0, 2, 25, 0, 50, 0]))
    #expect(try whole?.settings().sampleRates == [25, 50])
  }

  @Test func testAnyResponse_IsJoinedFromItsParts() throws {
    for count in 0...90 {
      let response = Self.response(SplitMix64.bytes(count, seed: UInt64(count)))
      for length in [0, 6, 7, 20, 64, 229] {
        let parts = response.parts(of: length).map { PolarControlPointResponse.encode($0) }
        #expect(parts.allSatisfy { $0.count <= max(6, length) })
        var assembler = PolarResponseAssembler(request: Self.request)
        for part in parts.dropLast() {
          try #require(try assembler.append(PolarControlPointResponse.decode(part)) == nil)
        }
        #expect(try assembler.append(PolarControlPointResponse.decode(parts[parts.count - 1])) == response)
      }
    }
  }

  @Test func testFailure_EndsTheResponse() throws {
    var assembler = PolarResponseAssembler(request: Self.request)
    #expect(try assembler.append(Self.response([0, 1], hasMore: true)) == nil)
    let failure = PolarControlPointResponse(to: .getSettings, .acceleration, status: .invalidState)
    #expect(try assembler.append(failure) == failure)
    #expect(failure.parts(of: 6) == [failure])
  }

  @Test func testResponseToAnotherRequest_IsIgnored() throws {
    var assembler = PolarResponseAssembler(request: Self.request)
    #expect(try assembler.append(PolarControlPointResponse(to: .stop, .acceleration, status: .success)) == nil)
    #expect(try assembler.append(PolarControlPointResponse(to: .getSettings, .ecg, status: .notSupported)) == nil)
    #expect(try assembler.append(Self.response([])) == Self.response([]))
  }

  @Test func testPartsWithoutEnd_AreRefused() throws {
    var assembler = PolarResponseAssembler(request: Self.request)
    let part = Self.response(Array(repeating: 0, count: 512), hasMore: true)
    for _ in 0..<4 { #expect(try assembler.append(part) == nil) }
    #expect(throws: GATTDecodingError.tooLong(count: 2560, limit: 2048)) { try assembler.append(part) }
  }
}
