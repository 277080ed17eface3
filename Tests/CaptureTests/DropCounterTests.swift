import Capture
import TachogramCore
import TachogramTestKit
import Testing

/// What capturing systems say of packets that they dropped.
struct DropCounterTests {
  private static let first = 3

  private static func script() -> PacketScript {
    var script = PacketScript()
    script.connect()
    script.discover()
    for index in 0..<8 { script.notify([0x16, UInt8(60 + index), 0, 4]) }
    script.disconnect()
    return script
  }

  /// The session as btsnoop whose records have these counters, the last of them to the end.
  private static func btsnoop(_ counters: [UInt32]) -> [UInt8] {
    CaptureWrapping.btsnoop(
      script().packets.enumerated().map { index, packet in
        var record = CaptureWrapping.btsnoopRecord(packet)
        record.drops = counters[min(index, counters.count - 1)]
        return record
      })
  }

  /// The numbers of the notifications of a strap, with -1 for a loss and -2 for the end of a link.
  private func story(_ replayed: ReplayedCapture) -> [Int] {
    (replayed.entries[0] ?? []).map { entry in
      switch entry.content {
      case .notification(let value): Int(value[1]) - 60
      case .linkDown(DisconnectionCode.captureLoss): -1
      case .linkDown: -2
      case .pulseIntervals: -3
      }
    }
  }

  // MARK: - btsnoop

  @Test func testCounterThatRises_IsALossWhereItDoes() throws {
    let replayed = try ReplayedCapture(Self.btsnoop([0, 0, 0, 0, 0, 0, 5, 5, 7]))
    #expect(story(replayed) == [0, 1, 2, -1, 3, 4, -1, 5, 6, 7, -2])
    #expect(replayed.summary.dropped == 7)
    #expect(replayed.summary.dropCounterResets == 0)
    #expect(replayed.plan.straps[0].notifications == 8)
  }

  @Test func testCounterThatIsTheSameEverywhere_IsNoLoss() throws {
    let replayed = try ReplayedCapture(Self.btsnoop([9]))
    #expect(story(replayed) == [0, 1, 2, 3, 4, 5, 6, 7, -2])
    #expect(replayed.summary.dropped == 0)
  }

  @Test func testCounterAtItsLargest_IsReported() throws {
    let replayed = try ReplayedCapture(Self.btsnoop([0, 0, 0, 0, .max]))
    #expect(story(replayed) == [0, -1, 1, 2, 3, 4, 5, 6, 7, -2])
    #expect(replayed.summary.dropped == UInt64(UInt32.max))
  }

  @Test func testCounterThatGoesBack_CountsOnFromThere() throws {
    let replayed = try ReplayedCapture(Self.btsnoop([0, 0, 0, 0, 4, 4, 1, 1, 3]))
    #expect(story(replayed) == [0, -1, 1, 2, 3, 4, -1, 5, 6, 7, -2])
    #expect(replayed.summary.dropped == 6)
    #expect(replayed.summary.dropCounterResets == 1)
  }

  @Test func testLossBeforeTheFirstNotification_NeedsNoGap() throws {
    let replayed = try ReplayedCapture(Self.btsnoop([0, 3]))
    #expect(story(replayed) == [0, 1, 2, 3, 4, 5, 6, 7, -2])
    #expect(replayed.summary.dropped == 3)
  }

  @Test func testLossWhileNoLinkIsUp_IsNoneOfItsStraps() throws {
    var script = Self.script()
    script.advertise("somebody")
    var records = script.packets.map { CaptureWrapping.btsnoopRecord($0) }
    records[records.count - 1].drops = 2
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(records))
    #expect(story(replayed) == [0, 1, 2, 3, 4, 5, 6, 7, -2])
    #expect(replayed.summary.dropped == 2)
  }

  @Test func testLoss_IsOfEveryStrapWhoseLinkIsUp() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.connection = 0x41
    script.connect([0x02, 0x00, 0x00, 0xEE, 0xFF, 0xC0])
    script.discover()
    for index in UInt16(0)..<4 {
      script.connection = 0x40 + index % 2
      script.notify([0x16, 60, 0, 4])
    }
    var records = script.packets.map { CaptureWrapping.btsnoopRecord($0) }
    for index in (records.count - 2)..<records.count { records[index].drops = 1 }
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(records))
    for strap in 0..<2 { #expect(replayed.linkEnds(strap) == [DisconnectionCode.captureLoss]) }
  }

  @Test func testLinkThatEndsWithTheCodeOfALoss_EndsForNoKnownReason() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.notify([0x16, 60, 0, 4])
    script.disconnect(reason: DisconnectionCode.captureLoss)
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).linkEnds() == [0])
  }

  // MARK: - pcapng

  private static func pcapng(
    isBigEndian: Bool, _ body: (inout PcapngBuilder, Int, CaptureWrapping.Record) -> Void
  ) -> [UInt8] {
    var builder = PcapngBuilder()
    builder.section(isBigEndian: isBigEndian)
    builder.interface(linkType: 187)
    for (index, record) in CaptureWrapping.records(script(), linkType: 187).enumerated() {
      body(&builder, index - first, record)
    }
    return builder.bytes
  }

  @Test(arguments: [false, true])
  func testDropCountOfPackets_IsThatSinceTheOneBefore(isBigEndian: Bool) throws {
    let file = Self.pcapng(isBigEndian: isBigEndian) { builder, index, record in
      let count: UInt64? = [3: 2, 5: 4][index]
      builder.packet(record, before: count.map { builder.option(4, builder.double($0)) } ?? [])
    }
    let replayed = try ReplayedCapture(file)
    #expect(story(replayed) == [0, 1, 2, -1, 3, 4, -1, 5, 6, 7, -2])
    #expect(replayed.summary.dropped == 6)
  }

  @Test(arguments: [false, true])
  func testInterfaceStatistics_AreTotals(isBigEndian: Bool) throws {
    // Given: five drops of the interface and two of the system by the fourth notification, as much later on
    let file = Self.pcapng(isBigEndian: isBigEndian) { builder, index, record in
      if index == 3 || index == 6 { builder.statistics(interface: 0, interfaceDrops: 5, systemDrops: 2) }
      builder.packet(record)
    }
    let replayed = try ReplayedCapture(file)
    #expect(story(replayed) == [0, 1, 2, -1, 3, 4, 5, 6, 7, -2])
    #expect(replayed.summary.dropped == 7)
  }

  @Test func testStatisticsAndPacketCounts_AreOfTheSamePackets() throws {
    let file = Self.pcapng(isBigEndian: false) { builder, index, record in
      builder.packet(record, before: index == 3 ? builder.option(4, builder.double(4)) : [])
      if index == 8 { builder.statistics(interface: 0, interfaceDrops: 4, systemDrops: 1) }
    }
    #expect(try ReplayedCapture(file).summary.dropped == 5)
  }

  @Test func testAbsurdCounts_EndAtTheLargestNumber() throws {
    let file = Self.pcapng(isBigEndian: false) { builder, index, record in
      builder.packet(record, before: index >= 2 ? builder.option(4, builder.double(.max)) : [])
      builder.statistics(interface: 0, interfaceDrops: .max, systemDrops: .max)
      builder.statistics(interface: 99, interfaceDrops: 7, systemDrops: 7)
    }
    let replayed = try ReplayedCapture(file)
    #expect(replayed.summary.dropped == .max)
    #expect(replayed.values().count == 8)
  }

  // MARK: - Export

  @Test func testExportedLosses_ReplayToTheSameLedger() throws {
    // Given
    let session = try SessionScript.replaying(Self.btsnoop([0, 0, 0, 0, 0, 0, 5, 5, 7]))
    // When
    let file = session.export()
    let again = try SessionScript.replaying(file)
    // Then
    #expect(again.entries.map(\.content) == session.entries.map(\.content))
    #expect(again.entries.map(\.monotonic) == session.entries.map(\.monotonic))
    #expect(again.entries.map(\.link) == session.entries.map(\.link))
    #expect(again.export() == file)
    #expect(try ReplayedCapture(file).summary.dropped == 2)
  }
}
