/// The kinds of HCI packet, by their H4 type byte (Core Specification 5.4, Vol 4, Part A, 2).
enum HCIPacketKind: UInt8 {
  case command = 1
  case acl = 2
  case sco = 3
  case event = 4
  case iso = 5

  /// The kind that the flags of a btsnoop record give where the packet has no type byte (datalink 1001).
  init(unencapsulated flags: UInt32) {
    self = flags & 2 == 0 ? .acl : flags & 1 == 0 ? .command : .event
  }

  /// The length that the body of such a packet says of itself, its header included (Core Specification 5.4, Vol 4,
  /// Part E, 5.4); `nil` when its header is cut off.
  @inline(__always)
  func bodyLength(_ bytes: Span<UInt8>, at offset: Int) -> Int? {
    switch self {
    case .command, .sco: bytes.byte(at: offset + 2).map { 3 + Int($0) }
    case .acl: bytes.littleEndian16(at: offset + 2).map { 4 + Int($0) }
    case .event: bytes.byte(at: offset + 1).map { 2 + Int($0) }
    case .iso: bytes.littleEndian16(at: offset + 2).map { 4 + Int($0 & 0x3FFF) }
    }
  }
}
