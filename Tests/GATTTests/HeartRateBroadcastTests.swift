import GATT
import TachogramCore
import Testing

@Suite("Heart rates in advertisements")
struct HeartRateBroadcastTests {
  /// The data of a Mi Band 6 of which a user of ble_monitor wrote the bytes down (its issue 875), with another address.
  private static func band(_ rate: UInt8, kind: UInt8 = 0x02) -> [UInt8] {
    [kind, 0xFF, 0xFF, rate] + [UInt8](repeating: 0xFF, count: 13) + [0x03, 0xC9, 0x00, 0x00, 0x5E, 0x00, 0x53]
  }

  @Test(arguments: [1, 71, 0xFE] as [UInt8])
  func testRateOfABand_IsRead(rate: UInt8) {
    #expect(HuamiBroadcast(data: Self.band(rate))?.heartRate == rate)
  }

  @Test(
    arguments: [
      // Without a rate, of another kind, and of another length.
      band(0xFF), band(0), band(71, kind: 0x01), Array(band(71).dropLast()), band(71) + [0], [], [0x02],
      // An Amazfit Bip S, which encrypts its data.
      [0x00, 0x48, 0x09, 0x67, 0x36, 0x1D, 0x00, 0x78, 0xB0, 0x96, 0x08, 0x77, 0x4C, 0xA8, 0xDF, 0x13, 0xE0, 0x02]
        + [0xC9, 0x00, 0x00, 0x5E, 0x00, 0x53],
    ] as [[UInt8]])
  func testAnythingElse_IsNoHeartRate(data: [UInt8]) {
    #expect(HuamiBroadcast(data: data) == nil)
  }

  @Test func testCompany_SaysTheForm() {
    let polar: [UInt8] = [0x23, 0, 60, 61]
    #expect(
      HeartRateBroadcast(manufacturerData: [0x006B: polar])
        == HeartRateBroadcast(heartRate: 60, contact: .detected, isBatteryLow: true))
    #expect(
      HeartRateBroadcast(manufacturerData: [0x0157: Self.band(71)])
        == HeartRateBroadcast(heartRate: 71, contact: .notSupported))
    #expect(HeartRateBroadcast(manufacturerData: [0x0157: polar, 0x006B: [0x02, 0xFF]]) == nil)
    #expect(HeartRateBroadcast(manufacturerData: [0x004C: polar]) == nil)
    #expect(HeartRateBroadcast(manufacturerData: [:]) == nil)
  }
}
