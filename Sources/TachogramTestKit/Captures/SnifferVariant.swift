/// A format in which a sniffer records packets.
package enum SnifferVariant: Sendable, CaseIterable {
  case linkLayer
  case withHeader
  case withHeaderWithoutDirection
  case withHeaderCoded
  case nordic1
  case nordic1Padded
  case nordic2
  case nordic3
  case nordic3Coded

  /// The variants whose records contain whether a packet was received with errors.
  package static let checked = allCases.filter { $0 != .linkLayer }

  private var linkType: UInt32 {
    switch self {
    case .linkLayer: 251
    case .withHeader, .withHeaderWithoutDirection, .withHeaderCoded: 256
    default: 272
    }
  }

  private var isCoded: Bool { self == .withHeaderCoded || self == .nordic3Coded }

  /// Returns the capture as classic pcap. With `isDecrypted`, the sniffer has decrypted the encrypted packets.
  package func capture(_ link: AirLink, isDecrypted: Bool = false) -> [UInt8] {
    CaptureWrapping.pcap(records(link, isDecrypted: isDecrypted), linkType: linkType)
  }

  package func captureNG(_ link: AirLink) -> [UInt8] {
    PcapngBuilder.file(records(link, isDecrypted: false), linkType: linkType)
  }

  private func records(_ link: AirLink, isDecrypted: Bool) -> [CaptureWrapping.Record] {
    link.heard.map { CaptureWrapping.Record(data: record($0, isDecrypted: isDecrypted), time: $0.time) }
  }

  private func record(_ heard: AirLink.Heard, isDecrypted: Bool) -> [UInt8] {
    var packet = heard.bytes
    if isCoded { packet.insert(1, at: 4) }
    switch self {
    case .linkLayer:
      return packet
    case .withHeader, .withHeaderWithoutDirection, .withHeaderCoded:
      var flags: UInt16 = 0x0401 | (heard.isCorrupt ? 0 : 0x0800) | (isCoded ? 0x8000 : 0)
      if self != .withHeaderWithoutDirection, let isCentral = heard.isCentral { flags |= (isCentral ? 2 : 3) << 7 }
      if heard.isEncrypted, isDecrypted { flags |= 0x3008 }
      return [12, 0xC0, 0x80, 0, 0, 0, 0, 0] + CaptureWrapping.littleEndian(flags) + packet
    case .nordic1, .nordic1Padded:
      if self == .nordic1Padded { packet.insert(0, at: 6) }
      return [1, 6, UInt8(10 + packet.count), 1, 0x34, 0x12, 6] + radioHeader(heard, isDecrypted) + packet
    case .nordic2:
      return [1, UInt8(10 + packet.count), 0, 2, 0x34, 0x12, 6] + radioHeader(heard, isDecrypted) + packet
    case .nordic3, .nordic3Coded:
      let identifier: UInt8 = heard.isCentral == nil ? 2 : 6
      return [1, UInt8(10 + packet.count), 0, 3, 0x34, 0x12, identifier] + radioHeader(heard, isDecrypted) + packet
    }
  }

  private func radioHeader(_ heard: AirLink.Heard, _ isDecrypted: Bool) -> [UInt8] {
    var flags: UInt8 = heard.isCorrupt ? 0 : 1
    if heard.isCentral == true { flags |= 2 }
    if heard.isEncrypted { flags |= isDecrypted ? 0b1100 : 0b0100 }
    if isCoded { flags |= 2 << 4 }
    return [10, flags, 17, 60, 5, 0, 0x10, 0x20, 0x30, 0x40]
  }
}
