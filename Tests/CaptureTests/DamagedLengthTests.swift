import Capture
import TachogramTestKit
import Testing

/// Records whose lengths lie.
struct DamagedLengthTests {
  /// A field of a record header that holds a length, and how it is written.
  struct Field: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var variant: FormatVariant
    /// Where it stands in the record; from the end when negative.
    var offsets: [Int]
    var isBigEndian: Bool
  }

  /// The fields that must all say the same where they are damaged together.
  static let fields = [
    Field(testDescription: "btsnoop", variant: FormatVariant.btsnoop[2], offsets: [0, 4], isBigEndian: true),
    Field(
      testDescription: "btsnoop included", variant: FormatVariant.btsnoop[2], offsets: [4], isBigEndian: true),
    Field(
      testDescription: "btsnoop original", variant: FormatVariant.btsnoop[2], offsets: [0], isBigEndian: true),
    Field(testDescription: "btsnoop 1001", variant: FormatVariant.btsnoop[0], offsets: [0, 4], isBigEndian: true),
    Field(testDescription: "btsnoop 2001", variant: FormatVariant.btsnoop[4], offsets: [0, 4], isBigEndian: true),
    Field(testDescription: "pcap", variant: FormatVariant.pcap[0], offsets: [8, 12], isBigEndian: false),
    Field(testDescription: "pcap 201", variant: FormatVariant.pcap[6], offsets: [8, 12], isBigEndian: true),
    Field(testDescription: "pcap included", variant: FormatVariant.pcap[0], offsets: [8], isBigEndian: false),
    Field(testDescription: "pcapng", variant: FormatVariant.pcapng[0], offsets: [4, -4], isBigEndian: false),
    Field(testDescription: "pcapng block", variant: FormatVariant.pcapng[0], offsets: [4], isBigEndian: false),
    Field(
      testDescription: "PacketLogger", variant: FormatVariant.packetLogger[0], offsets: [0], isBigEndian: true),
  ]

  /// What is wrong with a length.
  enum Lie: CaseIterable, Sendable {
    case zero
    case one
    case less
    case more
    case thousands
    case limit
    case huge
    case all

    func length(_ length: UInt32) -> UInt32 {
      switch self {
      case .zero: 0
      case .one: 1
      case .less: length - 4
      case .more: length + 4
      case .thousands: length + 4000
      case .limit: 262_144
      case .huge: 0x7FFF_FFFF
      case .all: .max
      }
    }
  }

  private static func damaged(_ field: Field, _ bench: DamageBench, packet: Int, _ lie: (UInt32) -> UInt32) -> [UInt8] {
    var file = bench.file
    let (start, end) = (bench.boundaries[packet], bench.boundaries[packet + 1])
    for offset in field.offsets {
      let position = offset >= 0 ? start + offset : end + offset
      let bytes = file[position..<(position + 4)]
      let value = (field.isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
      let new = field.isBigEndian ? CaptureWrapping.bigEndian(lie(value)) : CaptureWrapping.littleEndian(lie(value))
      file.replaceSubrange(position..<(position + 4), with: new)
    }
    return file
  }

  @Test(arguments: fields, Lie.allCases)
  func testLengthThatLies_LosesOnlyItsRecord(_ field: Field, lie: Lie) throws {
    // Given
    let bench = DamageBench(field.variant)
    for packet in 3..<(bench.values.count - 1) {
      let file = Self.damaged(field, bench, packet: packet, lie.length)
      // When
      let replayed = try ReplayedCapture(file)
      // Then: where only the length before truncation lies, nothing need be lost
      if replayed.values() == bench.allValues { continue }
      #expect(replayed.values() == bench.values(without: packet...packet), "packet \(packet)")
      #expect(replayed.summary.damaged == 1)
      #expect(replayed.summary.damages.first?.offset == UInt64(bench.boundaries[packet]))
      #expect(replayed.summary.damagedBytes == UInt64(bench.boundaries[packet + 1] - bench.boundaries[packet]))
      #expect(!replayed.summary.isTruncated)
    }
  }

  @Test(
    arguments: fields.filter { $0.testDescription != "btsnoop included" && $0.testDescription != "pcap included" },
    1...3)
  func testLengthThatSwallowsWholeRecords_LosesOnlyItsRecord(_ field: Field, swallowed: Int) throws {
    // Given: a length that ends exactly where a later record begins
    let bench = DamageBench(field.variant)
    for packet in 3..<(bench.values.count - swallowed) {
      let extra = UInt32(bench.boundaries[packet + 1 + swallowed] - bench.boundaries[packet + 1])
      let file = Self.damaged(field, bench, packet: packet) { $0 + extra }
      // When
      let replayed = try ReplayedCapture(file)
      // Then
      if replayed.values() == bench.allValues { continue }
      #expect(replayed.values() == bench.values(without: packet...packet), "packet \(packet)")
      #expect(replayed.summary.damages.map(\.offset) == [UInt64(bench.boundaries[packet])])
    }
  }

  @Test func testPacketsCutAtCapture_AreNoDamage() throws {
    // Given: headers that tell of more bytes than were kept
    var records = PacketScript.session().packets.map { CaptureWrapping.btsnoopRecord($0) }
    for index in records.indices { records[index].original = UInt32(records[index].data.count + 40) }
    for file in [
      CaptureWrapping.btsnoop(records), CaptureWrapping.pcap(records, linkType: 187),
      PcapngBuilder.file(records, linkType: 187),
    ] {
      // When
      let replayed = try ReplayedCapture(file)
      // Then
      #expect(replayed.values() == PacketScript.values)
      #expect(replayed.summary.damaged == 0)
    }
  }
}
