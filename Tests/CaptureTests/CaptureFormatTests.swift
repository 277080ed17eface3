import Capture
import TachogramCore
import TachogramTestKit
import Testing

struct CaptureFormatTests {
  @Test(arguments: FormatVariant.all.filter { $0.resolution != nil })
  func testAnyFormat_GivesSameSession(_ variant: FormatVariant) throws {
    // Given
    let script = PacketScript.session()
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(replayed.summary.records == script.packets.count)
    #expect(replayed.summary.damages == [])
    #expect(!replayed.summary.isTruncated)
    #expect(replayed.summary.malformedPackets == 0)
    #expect(replayed.addresses == ["C0:FF:EE:00:00:01"])
    #expect(replayed.plan.straps.first?.identity.address.kind == .random)
    #expect(replayed.plan.straps.first?.links == [StrapLink(number: 0, handle: 0x10, handleSource: .discovered)])
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.linkEnds() == [0x08])
    let entries = try #require(replayed.entries[0])
    #expect(entries.map(\.sequence) == [0, 1, 2, 3])
    let resolution = try #require(variant.resolution)
    for (entry, packet) in zip(entries, script.packets.suffix(4)) {
      #expect(abs(entry.wall.microseconds - packet.time) < resolution)
      #expect(entry.monotonic.microseconds == entry.wall.microseconds)
    }
  }

  @Test(arguments: FormatVariant.all)
  func testAnyFormat_ReportsItself(_ variant: FormatVariant) throws {
    let format = try ReplayedCapture(variant.wrap(.session())).summary.format
    #expect(variant.testDescription.lowercased().hasPrefix(format.rawValue.lowercased() + " "))
  }

  // MARK: - pcapng

  @Test func testSeveralSections_KeepByteOrderAndInterfacesApart() throws {
    // Given: each packet in a section of its own, byte order and link type changing
    var builder = PcapngBuilder()
    let script = PacketScript.session()
    for (index, linkType) in (0..<script.packets.count).map({ ($0, [187, 201, 254][$0 % 3] as UInt32) }) {
      builder.section(isBigEndian: index % 2 == 1)
      builder.interface(linkType: linkType, resolution: index % 2 == 0 ? 6 : 9)
      builder.packet(CaptureWrapping.records(script, linkType: linkType)[index])
    }
    // When
    let replayed = try ReplayedCapture(builder.bytes)
    // Then
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.entries[0]?.map(\.wall.microseconds) == script.packets.suffix(4).map(\.time))
    #expect(replayed.summary.damaged == 0)
  }

  @Test func testSeveralInterfaces_HaveTheirOwnLinkTypeAndClock() throws {
    // Given
    var builder = PcapngBuilder()
    builder.section(isBigEndian: true)
    builder.interface(linkType: 187, resolution: 9)
    builder.interface(linkType: 201, resolution: 6, offset: 1_700_000_000)
    builder.interface(linkType: 254, resolution: 0x94, offset: -3600)
    builder.interface(linkType: 1, resolution: 6)
    let script = PacketScript.session()
    for index in script.packets.indices {
      let linkTypes: [UInt32] = [187, 201, 254]
      builder.packet(
        CaptureWrapping.records(script, linkType: linkTypes[index % 3])[index], interface: index % 3)
      builder.packet(CaptureWrapping.Record(data: [1, 2, 3], time: script.packets[index].time), interface: 3)
    }
    // When
    let replayed = try ReplayedCapture(builder.bytes)
    // Then
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.entries[0]?.map(\.wall.microseconds) == script.packets.suffix(4).map(\.time))
    #expect(replayed.summary.records == 2 * script.packets.count)
  }

  @Test func testOtherBlocksAndOptions_ArePassedOver() throws {
    // Given: statistics, names, journal, secrets, custom and local blocks, and a comment before the direction
    var builder = PcapngBuilder()
    builder.section(isBigEndian: false)
    builder.interface(linkType: 187)
    let types: [UInt32] = [4, 5, 9, 10, 0xBAD, 0x4000_0BAD, 0x8000_0001]
    for (index, record) in CaptureWrapping.records(.session(), linkType: 187).enumerated() {
      builder.block(types[index % types.count], Array(repeating: UInt8(index), count: 4 * index))
      builder.packet(record, before: builder.option(1, Array("a comment".utf8)))
    }
    builder.block(0x8000_0001, [])
    // When
    let replayed = try ReplayedCapture(builder.bytes)
    // Then
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.summary.damaged == 0)
    #expect(!replayed.summary.isTruncated)
  }

  @Test func testSimplePackets_AreCutAtTheSnapLengthOfTheirInterface() throws {
    // Given: packets of more bytes than were kept, with padding behind them
    var builder = PcapngBuilder()
    builder.section(isBigEndian: false)
    builder.interface(linkType: 187, snapLength: 25)
    for record in CaptureWrapping.records(.session(), linkType: 187) {
      let length = UInt32(max(26, record.data.count))
      builder.block(
        3, builder.word(length) + record.data.prefix(25) + Array(repeating: 0, count: max(0, 25 - record.data.count)))
    }
    // When
    let replayed = try ReplayedCapture(builder.bytes)
    // Then: they have no times, so that none can be used
    #expect(replayed.plan.unusableStraps.first?.leftOut[.withoutTime] == PacketScript.values.count)
    #expect(replayed.summary.malformedPackets == 0)
  }

  @Test(arguments: [false, true])
  func testByteOrderMagicThatContradictsLength_IsReadAndCounted(isBigEndian: Bool) throws {
    // Given
    var file = PcapngBuilder.file(
      CaptureWrapping.records(.session(), linkType: 187), linkType: 187, isBigEndian: isBigEndian)
    file[8..<12] = ArraySlice(file[8..<12].reversed())
    // When
    let replayed = try ReplayedCapture(file)
    // Then
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.summary.damaged == 1)
    #expect(replayed.summary.damages.first?.offset == 0)
  }

  @Test(arguments: [false, true])
  func testDamagedByteOrderMagic_IsReadByTheLengthAndCounted(isBigEndian: Bool) throws {
    // Given
    var file = PcapngBuilder.file(
      CaptureWrapping.records(.session(), linkType: 187), linkType: 187, isBigEndian: isBigEndian)
    file[9] ^= 0x10
    // When
    let replayed = try ReplayedCapture(file)
    // Then
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.summary.damages.map(\.offset) == [0])
  }

  @Test func testPacketOfUnknownInterface_IsCountedAsDamage() throws {
    // Given
    var builder = PcapngBuilder()
    builder.section(isBigEndian: false)
    builder.interface(linkType: 187)
    let records = CaptureWrapping.records(.session(), linkType: 187)
    for record in records { builder.packet(record) }
    let offset = builder.bytes.count
    builder.block(6, builder.word(7) + Array(repeating: 0, count: 20))
    builder.packet(records[0])
    // When
    let summary = try ReplayedCapture(builder.bytes).summary
    // Then
    #expect(
      summary.damages == [
        CaptureDamage(offset: UInt64(offset), length: 36, problem: "packet of an interface that was not described")
      ])
    #expect(summary.records == records.count + 1)
  }
}
