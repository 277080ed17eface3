/// A packet out of its capture's wrapping; positions count from the first byte of the record's data.
enum RadioPacket {
  /// An HCI packet whose body begins at `bodyAt`; `sender` is `nil` where the capture does not contain the direction.
  case hci(adapter: UInt16, kind: HCIPacketKind, sender: LinkEnd?, bodyAt: Int)
  /// An LE link-layer packet; `isEncrypted` is `nil` where the sniffer does not say.
  case air(sender: LinkEnd?, isEncrypted: Bool?, packet: LinkLayerPacket)
  /// An adapter went away, and its links with it.
  case adapterGone(UInt16)
  /// Received with errors, by the sniffer's own word.
  case corrupt
  /// Of no interest here.
  case other
  /// Too short for its wrapping.
  case malformed

  /// Whether `data` is exactly this packet, by the packet's own length.
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
