import Capture
import TachogramCore
import TachogramTestKit
import Testing

struct ConnectionCaptureTests {
  private static let other: [UInt8] = [0x02, 0x00, 0x00, 0xEE, 0xFF, 0xC0]

  // MARK: - Handles of links

  @Test(arguments: FormatVariant.representatives)
  func testHandleOfAnEndedLink_IsAnotherLinkAfterwards(_ variant: FormatVariant) throws {
    // Given: the same handle for one strap after the other
    var script = PacketScript.session()
    script.connect(Self.other)
    script.discover()
    script.notify([0x06, 0x50])
    script.disconnect(reason: 0x13)
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(replayed.addresses == ["C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02"])
    #expect(replayed.values(0) == PacketScript.values)
    #expect(replayed.values(1) == [[0x06, 0x50]])
    #expect(replayed.linkEnds(1) == [0x13])
  }

  @Test func testConnectionOnAHandleThatIsUp_EndsTheOldLinkWithoutReason() throws {
    // Given: the end of the first link was not captured
    var script = PacketScript()
    for _ in 0..<2 {
      script.connect()
      script.discover()
      script.notify([0x06, 0x48])
    }
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then
    #expect(replayed.linkEnds() == [0])
    #expect(replayed.entries[0]?.map(\.link) == [0, 0, 1])
  }

  @Test func testFailedConnectionAndDisconnection_ChangeNothing() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.notify([0x06, 0x48])
    script.event(0x3E, [1, 0x3E, 0x40, 0, 0, 1] + Self.other + [0, 0, 0, 0, 0, 0, 0])
    script.event(0x05, [0x0C, 0x40, 0, 0x08])
    script.notify([0x06, 0x49])
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    #expect(replayed.values() == [[0x06, 0x48], [0x06, 0x49]])
    #expect(replayed.linkEnds() == [])
  }

  @Test(
    arguments: [
      [0x01, 0, 0x40, 0, 0, 1], [0x0A, 0, 0x40, 0, 0, 1], [0x29, 0, 0x40, 0, 0, 1], [0x0A, 0, 0x40, 0, 0, 3],
    ] as [[UInt8]])
  func testEveryConnectionEvent_TellsTheAddress(_ start: [UInt8]) throws {
    var script = PacketScript()
    script.event(0x3E, start + PacketScript.address + Array(repeating: 0, count: 20))
    script.discover()
    script.notify([0x06, 0x48])
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    #expect(replayed.plan.straps.first?.identity.address == BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random))
  }

  @Test func testClassicConnection_TakesItsHandle() throws {
    // Given: a headset gets the handle that the strap had, and nobody captured the strap's end
    var script = PacketScript()
    script.connect()
    script.discover()
    script.notify([0x06, 0x48])
    script.event(0x03, [0, 0x40, 0] + Self.other + [1, 0])
    script.notify([0x06, 0x49])
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then
    #expect(replayed.values() == [[0x06, 0x48]])
    #expect(replayed.linkEnds() == [0])
  }

  // MARK: - Straps

  @Test(arguments: FormatVariant.representatives)
  func testTwoStrapsAtOnce_AreKeptApart(_ variant: FormatVariant) throws {
    // Given
    var script = PacketScript()
    script.connect()
    script.discover()
    script.connection = 0x41
    script.connect(Self.other)
    script.discover(0x22)
    for index in UInt8(0)..<10 {
      script.connection = 0x40 + UInt16(index % 2)
      script.notify([0x06, index], handle: index % 2 == 0 ? 0x10 : 0x22)
    }
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(replayed.addresses == ["C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02"])
    #expect(replayed.values(0) == [0, 2, 4, 6, 8].map { [0x06, $0] })
    #expect(replayed.values(1) == [1, 3, 5, 7, 9].map { [0x06, $0] })
    #expect(replayed.plan.straps.map(\.notifications) == [5, 5])
  }

  @Test(arguments: [FormatVariant.btsnoop[4], FormatVariant.pcap[8]])
  func testSameHandleOnTwoAdapters_IsTwoLinks(_ variant: FormatVariant) throws {
    // Given
    var script = PacketScript()
    for adapter in UInt16(0)...1 {
      script.adapter = adapter
      script.connect(adapter == 0 ? PacketScript.address : Self.other)
      script.discover()
    }
    for index in UInt8(0)..<10 {
      script.adapter = UInt16(index % 2)
      script.notify([0x06, index])
    }
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(replayed.values(0) == [0, 2, 4, 6, 8].map { [0x06, $0] })
    #expect(replayed.values(1) == [1, 3, 5, 7, 9].map { [0x06, $0] })
  }

  /// Index removed, index closed.
  @Test(arguments: [1, 9] as [UInt32])
  func testAdapterThatGoes_EndsItsLinksOnly(_ opcode: UInt32) throws {
    // Given
    var script = PacketScript()
    for adapter in UInt16(0)...1 {
      script.adapter = adapter
      script.connect(adapter == 0 ? PacketScript.address : Self.other)
      script.discover()
      script.notify([0x06, 0x48])
    }
    var records = script.packets.map { CaptureWrapping.btsnoopRecord($0, datalink: 2001) }
    records.append(CaptureWrapping.Record(data: [], time: script.time, flags: 1 << 16 | opcode))
    script = PacketScript()
    script.time = records[records.count - 1].time + 1
    script.adapter = 1
    script.notify([0x06, 0x49])
    script.adapter = 0
    script.notify([0x06, 0x50])
    records += script.packets.map { CaptureWrapping.btsnoopRecord($0, datalink: 2001) }
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(records, datalink: 2001))
    // Then
    #expect(replayed.linkEnds(0) == [])
    #expect(replayed.values(0) == [[0x06, 0x48], [0x06, 0x50]])
    #expect(replayed.linkEnds(1) == [0])
    #expect(replayed.values(1) == [[0x06, 0x48]])
  }

  @Test func testResetOfTheController_EndsItsLinks() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.notify([0x06, 0x48])
    script.add([1, 0x03, 0x0C, 0], isReceived: false)
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    #expect(replayed.linkEnds() == [0])
  }

  @Test func testNotificationsOfTheNearEnd_AreTheCapturingStraps() throws {
    // Given: a capture made on the strap's side
    var script = PacketScript()
    script.connect()
    script.discover(isServer: true)
    script.subscribe(isServer: true)
    for value in PacketScript.values { script.notify(value, isServer: true) }
    script.disconnect()
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then: its own address is not in the capture
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.linkEnds() == [0x08])
    #expect(replayed.plan.straps.map(\.identity.address) == [.unknown])
  }

  @Test func testBothEndsWithHeartRate_AreTwoStraps() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.discover(isServer: true)
    script.notify([0x06, 0x48])
    script.notify([0x06, 0x60], isServer: true)
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    #expect(replayed.addresses == ["C0:FF:EE:00:00:01", BluetoothAddress.unknown.description])
    #expect(replayed.values(0) == [[0x06, 0x48]])
    #expect(replayed.values(1) == [[0x06, 0x60]])
  }

  @Test func testLinksThatBeganBeforeTheCapture_AreStrapsOfTheirOwn() throws {
    var script = PacketScript()
    for connection in UInt16(0x40)...0x41 {
      script.connection = connection
      script.discover()
      script.notify([0x06, UInt8(connection)])
    }
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    #expect(replayed.plan.straps.map(\.identity.address) == [.unknown, .unknown])
    #expect(replayed.values(0) == [[0x06, 0x40]])
    #expect(replayed.values(1) == [[0x06, 0x41]])
  }

  /// The file is another one by the time of the second pass.
  @Test func testPlanOfAnotherFile_GivesNothingAndDoesNotTrap() throws {
    // Given
    let plan = try MemoryFile.withPath(CaptureWrapping.btsnoop(.session())) {
      try CaptureReplay(path: $0).plan()
    }
    var script = PacketScript()
    for _ in 0..<5 {
      script.connect(Self.other)
      script.discover()
      script.notify([0x06, 0x48], handle: 0x22)
      script.disconnect()
    }
    // When
    var count = 0
    try MemoryFile.withPath(CaptureWrapping.btsnoop(script)) { path in
      try CaptureReplay(path: path).forEachEntry(plan) { _, _ in count += 1 }
    }
    // Then
    #expect(count == 0)
  }

  // MARK: - Identities

  @Test func testIdentityTold_JoinsTwoRandomAddresses() throws {
    // Given: bonded on the first link, where the identity is told, and on the second, under another address
    let identity: [UInt8] = [0x99, 0x00, 0x00, 0xEF, 0xBE, 0x00]
    var script = PacketScript()
    for address in [PacketScript.address, Self.other] {
      script.connect(address)
      script.identify(identity, kind: 0)
      script.discover()
      script.notify([0x06, address[0]])
      script.disconnect()
    }
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then
    #expect(replayed.plan.straps.map(\.identity.address) == [BluetoothAddress(value: 0x00BE_EF00_0099, kind: .public)])
    #expect(replayed.values() == [[0x06, 1], [0x06, 2]])
    #expect(replayed.entries[0]?.map(\.link) == [0, 0, 1, 1])
  }

  @Test(arguments: [false, true])
  func testIdentityToldOnce_HoldsForItsRandomAddressEverywhere(isToldFirst: Bool) throws {
    let identity: [UInt8] = [0x99, 0x00, 0x00, 0xEF, 0xBE, 0x00]
    var script = PacketScript()
    for isTold in [isToldFirst, !isToldFirst] {
      script.connect()
      if isTold { script.identify(identity, kind: 0) }
      script.discover()
      script.notify([0x06, 0x48])
      script.disconnect()
    }
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    #expect(replayed.addresses == ["00:BE:EF:00:00:99"])
    #expect(replayed.values().count == 2)
  }

  @Test func testIdentityOfTheHost_IsNotTheStraps() throws {
    var script = PacketScript()
    script.connect()
    script.identify([1, 2, 3, 4, 5, 6], kind: 0, isReceived: false)
    script.discover()
    script.notify([0x06, 0x48])
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).addresses == ["C0:FF:EE:00:00:01"])
  }
}
