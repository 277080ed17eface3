import GATT
import TachogramTestKit
import Testing

/// Settings as bytes, and the choice among them.
struct PolarSettingsTests {
  /// Every type, with no, one and several values.
  private static let bytes: [UInt8] = [
    0x00, 0x02, 0x34, 0x00, 0x68, 0x00,
    0x01, 0x01, 0x10, 0x00,
    0x02, 0x00,
    0x03, 0x01, 0xFF, 0xFF, 0xFF, 0x80,
    0x04, 0x03, 0x03, 0xFF, 0x00,
    0x05, 0x02, 0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x00, 0xC0,
  ]

  @Test func testEveryType_IsReadAndWritten() throws {
    let settings = try PolarSettings.decode(Self.bytes)
    #expect(
      settings.entries == [
        .sampleRate([52, 104]), .resolution([16]), .range([]), .rangeThousandths([0x80FF_FFFF]),
        .channels([3, 255, 0]), .factor([1, -2]),
      ])
    #expect(settings.entries.map(\.type) == [0, 1, 2, 3, 4, 5])
    #expect(PolarSettings.encode(settings) == Self.bytes)
    #expect(settings.sampleRates == [52, 104])
    #expect(settings.resolutions == [16])
    #expect(settings.ranges == [])
    #expect(settings.channels == [3, 255, 0])
    #expect(settings.factor == 1)
  }

  @Test func testEveryTruncation_EndsBetweenSettingsOrInAnError() throws {
    let ends = [0, 6, 10, 12, 18, 23, 33]
    for length in 0...Self.bytes.count {
      let bytes = Array(Self.bytes.prefix(length))
      let settings = try? PolarSettings.decode(bytes)
      #expect((settings != nil) == ends.contains(length), "\(length)")
      if let settings { #expect(PolarSettings.encode(settings) == bytes) }
    }
    #expect(throws: GATTDecodingError.truncated(field: .settingValue, offset: 4, needed: 2, available: 1)) {
      try PolarSettings.decode(Self.bytes.prefix(5))
    }
    #expect(throws: GATTDecodingError.truncated(field: .settingCount, offset: 7, needed: 1, available: 0)) {
      try PolarSettings.decode(Self.bytes.prefix(7))
    }
  }

  @Test func testUnknownType_IsRefused() {
    for type in 6...255 as ClosedRange<UInt8> {
      #expect(throws: GATTDecodingError.unsupported(field: .settingType, value: type, offset: 33)) {
        try PolarSettings.decode(Self.bytes + [type, 1, 0, 0])
      }
    }
  }

  @Test func testImpossibleFactors_AreNotUsed() {
    #expect(PolarSettings([.factor([.nan, 0, -1, .infinity, 0.25])]).factor == 0.25)
    #expect(PolarSettings([.factor([.nan, 0])]).factor == nil)
    #expect(PolarSettings([.sampleRate([1])]).factor == nil)
  }

  @Test func testRepeatedSettings_AreJoined() throws {
    let settings = try PolarSettings.decode([0, 1, 25, 0, 0, 1, 50, 0])
    #expect(settings.sampleRates == [25, 50])
  }

  @Test func testMoreThan255Values_AreCutOff() throws {
    let settings = PolarSettings([.channels(Array(repeating: 7, count: 300)), .resolution([16])])
    let read = try PolarSettings.decode(PolarSettings.encode(settings))
    #expect(read.channels == Array(repeating: 7, count: 255))
    #expect(read.resolutions == [16])
  }

  @Test func testSelection_HasOneValueOfEachSetting() {
    let h10 = PolarSettings([.sampleRate([200, 25, 100, 50]), .resolution([16]), .range([8, 2, 4])])
    #expect(
      h10.selection(sampleRate: 25, range: 2).entries == [.sampleRate([25]), .resolution([16]), .range([2])])
    #expect(h10.selection(sampleRate: 120, range: 6).entries == [.sampleRate([100]), .resolution([16]), .range([4])])
    #expect(
      h10.selection(sampleRate: .max, range: 0).entries == [.sampleRate([200]), .resolution([16]), .range([2])])
    let verity = PolarSettings([
      .sampleRate([52]), .resolution([14, 16]), .range([]), .rangeThousandths([500, 250]), .channels([3]), .factor([1]),
    ])
    #expect(
      verity.selection(sampleRate: 25, range: 2).entries == [
        .sampleRate([52]), .resolution([16]), .rangeThousandths([250]), .channels([3]),
      ])
  }

  @Test func testRandomSettings_Survive() throws {
    var random = SplitMix64(seed: 21)
    for _ in 0..<200 {
      let entries = (0..<Int.random(in: 0...6, using: &random)).map { _ -> PolarSetting in
        let count = Int.random(in: 0...5, using: &random)
        func values<Integer: FixedWidthInteger & UnsignedInteger>() -> [Integer] {
          (0..<count).map { _ in Integer.random(in: 0...Integer.max, using: &random) }
        }
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: .sampleRate(values())
        case 1: .resolution(values())
        case 2: .range(values())
        case 3: .rangeThousandths(values())
        case 4: .channels(values())
        default: .factor((0..<count).map { _ in Float.random(in: -9...9, using: &random) })
        }
      }
      let settings = PolarSettings(entries)
      #expect(try PolarSettings.decode(PolarSettings.encode(settings)) == settings)
    }
  }
}
