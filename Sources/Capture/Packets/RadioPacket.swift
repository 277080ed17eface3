/// A packet without the headers of its link type. Positions count from the first byte of the record's data.
enum RadioPacket {
  /// An HCI packet whose body begins at `bodyAt`; `sender` is `nil` where the capture does not contain the direction.
  case hci(adapter: UInt16, kind: HCIPacketKind, sender: LinkEnd?, bodyAt: Int)
  /// An LE link-layer packet. `isEncrypted` is `nil` where the sniffer does not record it.
  case air(sender: LinkEnd?, isEncrypted: Bool?, packet: LinkLayerPacket)
  /// An adapter was removed, which ends its links.
  case adapterGone(UInt16)
  /// A packet that the sniffer marked as received with errors.
  case corrupt
  /// A packet or note that the dissector does not use.
  case other
  /// A record that is too short for the headers of its link type.
  case malformed

  /// Whether the packet ends exactly at the end of `data`, according to its length field.
  @inline(__always)
  func fills(_ data: Span<UInt8>) -> Bool {
    switch self {
    case .hci(_, let kind, _, let start): kind.bodyLength(data, at: start).map { start + $0 == data.count } ?? false
    case .air(_, _, let packet): packet.payload.upperBound + LinkLayerPacket.checksumLength == data.count
    case .adapterGone: true
    case .corrupt, .other, .malformed: false
    }
  }
}
