import TachogramTestKit
import Testing

/// A way to wrap the packets of a script.
struct FormatVariant: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// What times are rounded to, in microseconds; `nil` where the format has none.
  let resolution: Int64?
  let wrap: @Sendable (PacketScript) -> [UInt8]

  init(_ name: String, resolution: Int64? = 1, wrap: @escaping @Sendable (PacketScript) -> [UInt8]) {
    testDescription = name
    self.resolution = resolution
    self.wrap = wrap
  }

  static let all = btsnoop + pcap + pcapng + packetLogger

  /// One of each format.
  static let representatives = [btsnoop[2], pcap[0], pcapng[0], packetLogger[0]]

  static let btsnoop: [FormatVariant] = [1001, 1002, 2001].flatMap { datalink in
    [false, true].map { unixEpoch in
      FormatVariant("btsnoop \(datalink)\(unixEpoch ? ", times from 1970" : "")") {
        CaptureWrapping.btsnoop($0, datalink: datalink, unixEpoch: unixEpoch)
      }
    }
  }

  static let pcap: [FormatVariant] = [187, 201, 254].flatMap { linkType in
    [false, true].flatMap { isBigEndian in
      [false, true].map { isNanoseconds in
        FormatVariant("pcap \(linkType) \(order(isBigEndian)) \(isNanoseconds ? "ns" : "µs")") {
          CaptureWrapping.pcap(
            CaptureWrapping.records($0, linkType: linkType), linkType: linkType, isBigEndian: isBigEndian,
            isNanoseconds: isNanoseconds)
        }
      }
    }
  }

  static let pcapng: [FormatVariant] = [187, 201, 254].flatMap { linkType in
    [false, true].flatMap { isBigEndian in
      // 0x8A: 1/1024 s; 0x94: 2^-20 s, 0xA0: 2^-32 s.
      [(6, 1), (9, 1), (3, 1000), (0, 1_000_000), (0x8A, 977), (0x94, 1), (0xA0, 1)].flatMap { resolution, accuracy in
        PcapngBuilder.PacketBlock.allCases.map { block in
          FormatVariant(
            "pcapng \(linkType) \(order(isBigEndian)) \(resolution) \(block)",
            resolution: block == .simple ? nil : accuracy
          ) {
            PcapngBuilder.file(
              CaptureWrapping.records($0, linkType: linkType), linkType: linkType, isBigEndian: isBigEndian,
              resolution: UInt8(resolution), block: block)
          }
        }
      }
    }
  }

  static let packetLogger = [(true, true), (false, false), (false, true)].map { isBigEndian, isSecondsFirst in
    FormatVariant("PacketLogger \(order(isBigEndian))\(isSecondsFirst ? ", seconds first" : "")") {
      CaptureWrapping.packetLogger($0, isBigEndian: isBigEndian, isSecondsFirst: isSecondsFirst)
    }
  }

  private static func order(_ isBigEndian: Bool) -> String {
    isBigEndian ? "big-endian" : "little-endian"
  }
}
