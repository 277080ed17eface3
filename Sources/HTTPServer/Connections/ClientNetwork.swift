import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The origin of a connection, for counting: an IPv4 address, or the first 64 bits of an IPv6 address. A provider assigns these
/// to one customer, who chooses the remaining bits freely. All loopback addresses are equal.
package struct ClientNetwork: Hashable, Sendable, CustomStringConvertible {
  private enum Kind: Hashable {
    case loopback, version4, version6, unknown
  }

  private let kind: Kind
  /// The leading bytes of the address; the first byte is in the highest bits.
  private let bits: UInt64
  /// Whether it is this machine.
  package var isLoopback: Bool { kind == .loopback }

  package init(_ address: SocketAddress?) {
    let bytes = address?.ipAddress.flatMap { Self.bytes(AF_INET, 4, $0) ?? Self.bytes(AF_INET6, 16, $0) } ?? []
    // An IPv4 client has an IPv4-mapped IPv6 address if the server listens on both.
    let version4 = bytes.starts(with: Self.mapped) ? bytes[Self.mapped.count...] : bytes[...]
    switch version4.count {
    case 4: kind = version4.first == 127 ? .loopback : .version4
    case 16: kind = bytes == Self.loopback ? .loopback : .version6
    default: kind = .unknown
    }
    bits = kind == .loopback ? 0 : version4.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The bytes of an address of a family.
  private static func bytes(_ family: Int32, _ count: Int, _ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
  private static let loopback = [UInt8](repeating: 0, count: 15) + [1]

  /// A text such as `192.168.1.5` or `2001:db8:0:1::/64`; empty if the address is unknown.
  package var description: String {
    switch kind {
    case .loopback: "127.0.0.1"
    case .version4: [24, 16, 8, 0].map { "\(bits >> $0 & 0xFF)" }.joined(separator: ".")
    case .version6: [48, 32, 16, 0].map { String(bits >> $0 & 0xFFFF, radix: 16) }.joined(separator: ":") + "::/64"
    case .unknown: ""
    }
  }
}
