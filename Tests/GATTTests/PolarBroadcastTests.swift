import GATT
import Testing

@Suite("Polar broadcast")
struct PolarBroadcastTests {
  @Test(arguments: [
    ([0x22, 0x01, 71, 70] as [UInt8], UInt8(71), UInt8(70), true, false),
    // Without the slow average.
    ([0x20, 0x00, 55], 55, 55, false, false),
    ([0x03, 0x00, 180, 179], 180, 179, true, true),
    // Behind another part of three bytes.
    ([0x72, 0x03, 0x97, 0x12, 0x34, 0x22, 0x01, 99, 98], 99, 98, true, false),
  ])
  func testHeartRatePart_IsRead(data: [UInt8], fast: UInt8, slow: UInt8, contact: Bool, low: Bool) throws {
    let broadcast = try #require(PolarBroadcast(data: data))
    #expect(broadcast.heartRate == fast)
    #expect(broadcast.slowHeartRate == slow)
    #expect(broadcast.hasContact == contact)
    #expect(broadcast.isBatteryLow == low)
  }

  @Test(
    arguments: [
      [], [0x22], [0x22, 0x01], [0x22, 0x01, 0], [0x72], [0x72, 0xFF], [0x72, 0x00], [0x40, 0x01, 0x00],
    ] as [[UInt8]])
  func testAnythingElse_IsNoHeartRate(data: [UInt8]) {
    #expect(PolarBroadcast(data: data) == nil)
  }
}
