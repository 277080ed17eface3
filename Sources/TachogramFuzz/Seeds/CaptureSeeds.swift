import Foundation
import TachogramTestKit

/// Seeds of captures: the same short session in every format and link type, and the beginnings of the fixtures.
enum CaptureSeeds {
  /// The number of records used of a fixture: connection, discovery, and some notifications.
  private static let records = 48

  private static let session = PacketScript.session()

  /// Returns the captures of `Fixtures`, truncated to their first records, and to records around their middle.
  static func fixtures(_ folder: URL) throws -> [FuzzSeed] {
    let cases = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return cases.flatMap { name -> [FuzzSeed] in
      let input = folder.appendingPathComponent(name).appendingPathComponent("input.btsnoop")
      guard let data = FileManager.default.contents(atPath: input.path) else { return [] }
      let all = BtsnoopRecords.split(Array(data))
      let middle = all.count / 2 - records / 4
      let around = Array(all.prefix(24)) + all.dropFirst(max(24, middle)).prefix(records / 2)
      return [
        FuzzSeed(name: name, bytes: BtsnoopRecords.join(Array(all.prefix(records)))),
        FuzzSeed(name: name + "-middle", bytes: BtsnoopRecords.join(around)),
      ]
    }
  }

  /// Each datalink, with times from the year 0 and from 1970.
  static let btsnoop = FuzzSeeds.numbered(
    [1001, 1002, 2001].map { CaptureWrapping.btsnoop(session, datalink: $0) }
      + [CaptureWrapping.btsnoop(session, unixEpoch: true)])

  /// Each link type and byte order, and the formats of sniffers.
  static let pcap = FuzzSeeds.numbered(
    [187, 201, 254].map { CaptureWrapping.pcap(CaptureWrapping.records(session, linkType: $0), linkType: $0) }
      + [
        CaptureWrapping.pcap(
          CaptureWrapping.records(session, linkType: 187), linkType: 187, isBigEndian: true, isNanoseconds: true)
      ] + SnifferVariant.allCases.map { $0.capture(AirLink.session()) })

  /// Each link type, byte order, resolution and block.
  static let pcapng: [FuzzSeed] = {
    let resolutions: [UInt8] = [6, 9, 0x94]
    let files = PcapngBuilder.PacketBlock.allCases.enumerated().flatMap { number, block in
      [187, 201, 254].map { (linkType: UInt32) in
        PcapngBuilder.file(
          CaptureWrapping.records(session, linkType: linkType), linkType: linkType, isBigEndian: number == 1,
          resolution: resolutions[number], block: block)
      }
    }
    return FuzzSeeds.numbered(files + SnifferVariant.allCases.map { $0.captureNG(AirLink.session()) })
  }()

  static let packetLogger = FuzzSeeds.numbered(
    [(true, true), (false, false), (false, true)].map {
      CaptureWrapping.packetLogger(session, isBigEndian: $0, isSecondsFirst: $1)
    })

  /// Steps as `AttributesFuzz` reads them: discovery, subscription, notifications of both ends, pieces, and an end.
  static let attributes = FuzzSeeds.numbered([
    [0x08, 0x09, 0x47, 4, 0x16, 0x48, 0, 4, 0x47, 4, 0x16, 0x49, 0, 4, 0x45, 0x08, 0x44, 0x08, 0x47, 2, 6, 70],
    [0x18, 0x19, 0x57, 4, 0x16, 0x48, 0, 4, 0x24, 0x28, 0x67, 4, 0x16, 0x4A, 0xF0, 3],
    [0x08, 0x41, 7, 9, 0, 4, 0, 0x1B, 0x10, 0, 0x42, 6, 0x16, 0x48, 0, 4, 1, 4, 0x47, 2, 6, 70, 0x83, 8, 9, 0]
      + PacketScript.address,
    [
      0x10, 7, 8, 1, 0, 0xFF, 0xFF, 3, 0x28, 0x00, 9, 9, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A, 0x00, 12, 0x23, 0x10, 0,
      2, 0, 6, 70, 0x10, 0, 1, 0, 6,
    ],
  ])

  /// Options of the interface, preceded by their length, then those of packets.
  static let pcapngOptions: [FuzzSeed] = {
    let direction: [UInt8] = [2, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    let resolution: [UInt8] = [9, 0, 1, 0, 0x94, 0, 0, 0]
    let offset: [UInt8] = [14, 0, 8, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    let name: [UInt8] = [2, 0, 4, 0] + Array("hci0".utf8)
    return FuzzSeeds.numbered([
      [0] + direction, [UInt8(name.count)] + name + direction,
      [UInt8(resolution.count + offset.count)] + resolution + offset + direction,
      [4, 0, 0, 0, 0, 1, 0, 3, 0, 65, 66, 67],
    ])
  }()
}
