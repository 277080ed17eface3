/// Reads the packet in a record according to the record's link type.
enum RecordUnwrapper {
  /// Returns the packet in the data of a record. `flags` and `hasDirection` are those of `CaptureRecord`.
  @inline(__always)
  static func packet(
    _ data: Span<UInt8>, link: LinkType, flags: UInt32, hasDirection: Bool
  ) -> RadioPacket {
    let sender: LinkEnd? = hasDirection ? self.sender(flags) : nil
    switch link {
    case .hciH4:
      return h4(data, at: 0, sender: sender)
    case .hciH4WithDirection:
      guard let direction = data.bigEndian32(at: 0) else { return .malformed }
      return h4(data, at: 4, sender: self.sender(direction))
    case .hciBody(let kind):
      return .hci(adapter: 0, kind: kind, sender: sender, bodyAt: 0)
    case .hciUnencapsulated:
      return .hci(adapter: 0, kind: HCIPacketKind(unencapsulated: flags), sender: sender, bodyAt: 0)
    case .linuxMonitor:
      return monitor(data, opcode: UInt16(truncatingIfNeeded: flags), adapter: UInt16(flags >> 16), bodyAt: 0)
    case .linuxMonitorWithHeader:
      guard let adapter = data.bigEndian16(at: 0), let opcode = data.bigEndian16(at: 2) else { return .malformed }
      return monitor(data, opcode: opcode, adapter: adapter, bodyAt: 4)
    case .lowEnergyLinkLayer:
      return air(LinkLayerPacket(data, at: 0), sender: nil, isEncrypted: nil)
    case .lowEnergyLinkLayerWithHeader:
      return linkLayer(data)
    case .nordicSniffer:
      return nordic(data)
    case .note, .unsupported:
      return .other
    }
  }

  /// Returns the sender by bit 0, which is set for received packets.
  private static func sender(_ flags: UInt32) -> LinkEnd {
    flags & 1 == 1 ? .far : .near
  }

  @inline(__always)
  private static func h4(_ data: Span<UInt8>, at offset: Int, sender: LinkEnd?) -> RadioPacket {
    guard let type = data.byte(at: offset) else { return .malformed }
    guard let kind = HCIPacketKind(rawValue: type) else { return .other }
    return .hci(adapter: 0, kind: kind, sender: sender, bodyAt: offset + 1)
  }

  private static func monitor(_ data: Span<UInt8>, opcode: UInt16, adapter: UInt16, bodyAt: Int) -> RadioPacket {
    guard let opcode = MonitorOpcode(rawValue: opcode) else { return .other }
    switch opcode {
    case .deleteIndex, .closeIndex: return data.count == bodyAt ? .adapterGone(adapter) : .malformed
    case .newIndex, .openIndex: return .other
    case .event: return .hci(adapter: adapter, kind: .event, sender: .far, bodyAt: bodyAt)
    case .aclReceived: return .hci(adapter: adapter, kind: .acl, sender: .far, bodyAt: bodyAt)
    case .scoReceived: return .hci(adapter: adapter, kind: .sco, sender: .far, bodyAt: bodyAt)
    case .isoReceived: return .hci(adapter: adapter, kind: .iso, sender: .far, bodyAt: bodyAt)
    case .command: return .hci(adapter: adapter, kind: .command, sender: .near, bodyAt: bodyAt)
    case .aclSent: return .hci(adapter: adapter, kind: .acl, sender: .near, bodyAt: bodyAt)
    case .scoSent: return .hci(adapter: adapter, kind: .sco, sender: .near, bodyAt: bodyAt)
    case .isoSent: return .hci(adapter: adapter, kind: .iso, sender: .near, bodyAt: bodyAt)
    }
  }

  // MARK: - On the air

  private static func air(_ packet: LinkLayerPacket?, sender: LinkEnd?, isEncrypted: Bool?) -> RadioPacket {
    packet.map { .air(sender: sender, isEncrypted: isEncrypted, packet: $0) } ?? .malformed
  }

  /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: a header of ten bytes, with flags in the last two, before the access address.
  private static func linkLayer(_ data: Span<UInt8>) -> RadioPacket {
    guard let flags = data.littleEndian16(at: 8) else { return .malformed }
    let (isDecrypted, isChecked, isValid) = (flags & 0x0008 != 0, flags & 0x0400 != 0, flags & 0x0800 != 0)
    if isChecked && !isValid { return .corrupt }
    let packet = LinkLayerPacket(data, at: 10, isCoded: flags >> 14 == 2)
    switch flags >> 7 & 7 {
    case 0, 1: return air(packet, sender: nil, isEncrypted: isDecrypted ? false : nil)
    case 2: return air(packet, sender: .near, isEncrypted: isDecrypted ? false : nil)
    case 3: return air(packet, sender: .far, isEncrypted: isDecrypted ? false : nil)
    default: return .other
    }
  }

  /// LINKTYPE_NORDIC_BLE, protocol versions 1 to 3: board, six bytes of serial header with version and identifier, a
  /// radio header that begins with its own length, and the packet.
  private static func nordic(_ data: Span<UInt8>) -> RadioPacket {
    guard let version = data.byte(at: 3), let identifier = data.byte(at: 6), let radioHeader = data.byte(at: 7),
      let flags = data.byte(at: 8)
    else { return .malformed }
    // Identifier 6 is any packet up to version 2, and a data packet in version 3, where advertising packets have 2.
    guard (1...3).contains(version), identifier == 6 || identifier == 2 && version == 3 else { return .other }
    if flags & 1 == 0 { return .corrupt }
    let start = 7 + Int(radioHeader)
    let isCoded = flags >> 4 & 7 == 2
    guard var packet = LinkLayerPacket(data, at: start, isCoded: isCoded) else { return .malformed }
    if !isCoded, packet.payload.upperBound + LinkLayerPacket.checksumLength == data.count - 1,
      let padded = LinkLayerPacket(data, at: start, isPadded: true)
    {
      packet = padded
    }
    if packet.isAdvertising { return .air(sender: nil, isEncrypted: false, packet: packet) }
    // The sniffer can check the integrity of an encrypted packet only if it decrypted the packet.
    return .air(sender: flags & 2 != 0 ? .near : .far, isEncrypted: flags & 0b1100 == 0b0100, packet: packet)
  }
}
