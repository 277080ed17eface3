import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where a connection comes from, for counting: an IPv4 address, or the 64 bits of an IPv6 address that a provider gives to
/// one customer, who chooses the rest at will.
struct ClientNetwork: Hashable, Sendable, CustomStringConvertible {
  private enum Kind: Hashable {
    case version4, version6, unknown
  }

  private let kind: Kind
  /// Of the address, the first byte in the highest bits.
  private let bits: UInt64
  /// Whether it is this machine.
  let isLoopback: Bool

  init(_ address: SocketAddress?) {
    let bytes = address?.ipAddress.flatMap { Self.bytes(AF_INET, 4, $0) ?? Self.bytes(AF_INET6, 16, $0) } ?? []
    // A client of IPv4 has an address of both kinds at a server that listens to both.
    let version4 = bytes.starts(with: Self.mapped) ? bytes[Self.mapped.count...] : bytes[...]
    switch version4.count {
    case 4: (kind, isLoopback) = (.version4, version4.first == 127)
    case 16: (kind, isLoopback) = (.version6, bytes == Self.loopback)
    default: (kind, isLoopback) = (.unknown, false)
    }
    bits = version4.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The bytes of an address of a family.
  private static func bytes(_ family: Int32, _ count: Int, _ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
  private static let loopback = [UInt8](repeating: 0, count: 15) + [1]

  /// As in `192.168.1.5` and `2001:db8:0:1::/64`; empty where it is not known.
  var description: String {
    switch kind {
    case .version4: [24, 16, 8, 0].map { "\(bits >> $0 & 0xFF)" }.joined(separator: ".")
    case .version6: [48, 32, 16, 0].map { String(bits >> $0 & 0xFFFF, radix: 16) }.joined(separator: ":") + "::/64"
    case .unknown: ""
    }
  }
}
