import Outlets
import TachogramCore
import Testing

@testable import Station

@Suite("Straps that outlets expect")
struct ExpectedStrapsTests {
  private static let (anna, other) = ("C8:DE:AD:BE:EF:01", "C8:DE:AD:BE:EF:02")
  private static let paired = [
    KnownStrap(
      address: BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random), name: "Anna", advertisedName: nil,
      isBonded: false, added: WallTime(microseconds: 0))
  ]

  private static func expected(straps: [String] = [], broadcasts: [String] = []) -> [String]? {
    StationOutlets.expected(
      paired, StationConfiguration.Radio(straps: straps, adapter: nil, bus: nil, broadcasts: broadcasts, passkey: nil))
  }

  @Test func testPairedStraps_AreExpected_AndThoseOfTheConfiguration() {
    #expect(Self.expected() == [Self.anna])
    #expect(Self.expected(straps: [Self.other]) == [Self.anna, Self.other])
    #expect(Self.expected(broadcasts: ["anna"]) == [Self.anna, OutletKey.averages(of: Self.anna)])
  }

  @Test func testWhereAnyStrapIsReceived_NoneIsUnexpected() {
    #expect(Self.expected(broadcasts: ["all"]) == nil && Self.expected(straps: ["Polar H10"]) == nil)
  }
}
