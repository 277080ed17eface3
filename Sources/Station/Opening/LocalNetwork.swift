import TLS

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The names and addresses of this machine in its local network.
package struct LocalNetwork: Hashable, Sendable {
  /// The name under which mDNS finds this machine, such as `raspberrypi.local`.
  package let host: String
  /// The private addresses of the network interfaces in use, IPv4 first.
  package let addresses: [String]

  package init(host: String, addresses: [String]) {
    self.host = host
    self.addresses = addresses
  }

  /// The names and addresses of a certificate for the page.
  var pageNames: PageNames {
    PageNames(hosts: [host, "localhost"], addresses: ["127.0.0.1", "::1"] + addresses)
  }

  package static func current() -> LocalNetwork {
    LocalNetwork(host: "\(hostname).local", addresses: currentAddresses)
  }

  /// The first part of the host name, in the characters that a certificate may contain.
  private static var hostname: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
    let name = buffer.prefix { $0 != 0 && $0 != 46 }.map { UInt8(bitPattern: $0) }
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return text.isEmpty ? "localhost" : text
  }

  private static var currentAddresses: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var (version4, version6): ([String], [String]) = ([], [])
    for interface in sequence(first: first, next: { $0?.pointee.ifa_next }) {
      guard let interface, let address = interface.pointee.ifa_addr else { continue }
      let flags = interface.pointee.ifa_flags
      guard flags & UInt32(IFF_RUNNING) != 0, flags & UInt32(IFF_LOOPBACK) == 0 else { continue }
      switch Int32(address.pointee.sa_family) {
      case AF_INET: version4 += text(address, MemoryLayout<sockaddr_in>.size)
      case AF_INET6: version6 += text(address, MemoryLayout<sockaddr_in6>.size)
      default: break
      }
    }
    return (version4 + version6).filter(isPrivate)
  }

  private static func text(_ address: UnsafeMutablePointer<sockaddr>, _ size: Int) -> [String] {
    var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, socklen_t(size), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0 else {
      return []
    }
    return [String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)]
  }

  /// Whether an address is of a private network (RFC 1918, RFC 4193) or of a carrier's or VPN's shared one (RFC 6598). The
  /// station's authority may issue certificates for no others, and addresses of one link alone change their text with it.
  static func isPrivate(_ text: String) -> Bool {
    guard let bytes = bytes(of: text) else { return false }
    if bytes.count == 16 { return bytes[0] & 0xFE == 0xFC }
    return switch bytes[0] {
    case 10: true
    case 100: bytes[1] & 0xC0 == 64
    case 172: bytes[1] & 0xF0 == 16
    case 192: bytes[1] == 168
    default: false
    }
  }

  /// Returns the 4 or 16 bytes of an address, or `nil` for any other text.
  static func bytes(of address: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, address, &bytes) == 1 { return bytes }
    }
    return nil
  }
}
