/// The kinds of HCI packet, by their H4 type byte (Core Specification 5.4, Vol 4, Part A, 2).
enum HCIPacketKind: UInt8 {
  case command = 1
  case acl = 2
  case sco = 3
  case event = 4
  case iso = 5

  /// Determines the kind by the flags of a btsnoop record, for packets without a type byte (datalink 1001).
  init(unencapsulated flags: UInt32) {
    self = flags & 2 == 0 ? .acl : flags & 1 == 0 ? .command : .event
  }

  /// Returns the length of the packet body including its header, according to that header (Core Specification 5.4, Vol 4, Part
  /// E, 5.4), or `nil` if the header is truncated.
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
