import Capture
import TachogramCore
import TachogramTestKit
import Testing

struct StrapDescriptionTests {
  @Test(arguments: [false, true], FormatVariant.representatives)
  func testAdvertisedName_IsTheStraps(isExtended: Bool, variant: FormatVariant) throws {
    var script = PacketScript()
    script.advertise("Simulated HRM", isExtended: isExtended)
    script.advertise("Another", [9, 9, 9, 9, 9, 0xC9], isExtended: isExtended)
    script.connect()
    script.discover()
    script.notify([0x06, 0x48])
    #expect(try ReplayedCapture(variant.wrap(script)).name() == "Simulated HRM")
  }

  @Test func testNameAdvertisedAfterwards_CountsToo() throws {
    var script = PacketScript.session()
    script.advertise("Simulated HRM")
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).name() == "Simulated HRM")
  }

  @Test func testLongestAdvertisedName_Wins() throws {
    var script = PacketScript.session()
    for name in ["Simul", "Simulated HRM", "Sim"] { script.advertise(name) }
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).name() == "Simulated HRM")
  }

  @Test func testNameOfThePublicAddress_IsNotThatOfTheRandomOne() throws {
    var script = PacketScript.session()
    script.advertise("Another", kind: 0)
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).name() == nil)
  }

  @Test func testNameReadOverGATT_WinsOverTheAdvertisedOne() throws {
    var script = PacketScript()
    script.advertise("Advertised, and longer")
    script.connect()
    script.discover()
    script.read(0x2A00, Array("Read".utf8), handle: 0x03)
    script.notify([0x06, 0x48])
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).name() == "Read")
  }

  @Test func testDescribingCharacteristics_AreKeptRawAndTheLastWins() throws {
    // Given: read by type, read by handle, and notified
    var script = PacketScript()
    script.connect()
    script.discover()
    script.discover(0x18, uuid: 0x2A29)
    script.attribute([0x0A, 0x18, 0], isReceived: false)
    script.attribute([0x0B] + Array("Maker".utf8), isReceived: true)
    script.read(0x2A19, [88], handle: 0x21)
    script.notify([87], handle: 0x21)
    script.read(0x2A38, [1], handle: 0x23)
    script.read(0x2ABC, [5], handle: 0x25)
    script.notify([0x06, 0x48])
    // When
    let characteristics = try ReplayedCapture(CaptureWrapping.btsnoop(script)).plan.straps[0].identity.characteristics
    // Then
    #expect(characteristics == [0x2A29: Array("Maker".utf8), 0x2A19: [87], 0x2A38: [1]])
  }

  @Test func testWriteCommandBetweenRequestAndResponse_DoesNotLoseTheResponse() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.discover(0x18, uuid: 0x2A29)
    script.attribute([0x0A, 0x18, 0], isReceived: false)
    script.attribute([0x52, 0x30, 0, 1, 0], isReceived: false)
    script.attribute([0x0B] + Array("Maker".utf8), isReceived: true)
    script.notify([0x06, 0x48])
    let characteristics = try ReplayedCapture(CaptureWrapping.btsnoop(script)).plan.straps[0].identity.characteristics
    #expect(characteristics == [0x2A29: Array("Maker".utf8)])
  }

  @Test func testRefusedRead_TellsNothing() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.discover(0x18, uuid: 0x2A29)
    script.attribute([0x0A, 0x18, 0], isReceived: false)
    script.attribute([0x01, 0x0A, 0x18, 0, 0x05], isReceived: true)
    script.attribute([0x0B] + Array("Stray".utf8), isReceived: true)
    script.notify([0x06, 0x48])
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).plan.straps[0].identity.characteristics == [:])
  }

  /// Too many reports promised, lengths beyond the end, no structure at all.
  @Test(
    arguments: [
      [0x02, 9, 0, 1, 1, 0, 0, 0xEE, 0xFF, 0xC0, 200, 5, 0x09], [0x02, 1], [0x0D, 1, 0, 0, 1], [0x02],
      [0x02, 1, 0, 1, 1, 0, 0, 0xEE, 0xFF, 0xC0, 3, 0, 0x09, 1, 0xC0],
      [0x02, 1, 0, 1, 1, 0, 0, 0xEE, 0xFF, 0xC0, 3, 9, 0x09, 1, 0xC0],
    ] as [[UInt8]])
  func testDamagedAdvertisements_TellNothing(_ parameters: [UInt8]) throws {
    var script = PacketScript.session()
    script.event(0x3E, parameters)
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).name() == nil)
  }
}
