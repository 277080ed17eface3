#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The address on which the page is served to the network.
package enum ListeningHost {
  /// All addresses, of IPv4 and IPv6.
  static let all = "::"
  private static let allOfVersion4 = "0.0.0.0"

  /// Returns the address to listen on: a machine without IPv6 listens on all addresses of IPv4 in place of `::`.
  package static func usable(_ host: String, hasVersion6: Bool = hasVersion6) -> String {
    host == all && !hasVersion6 ? allOfVersion4 : host
  }

  /// Whether this machine can listen on addresses of IPv6.
  package static var hasVersion6: Bool {
    let socket = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }
}
