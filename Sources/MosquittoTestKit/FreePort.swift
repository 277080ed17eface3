import Glibc

/// Finds TCP ports of 127.0.0.1 that nothing uses at the moment.
package enum FreePort {
  /// Returns a port. Another program may take it before the caller does.
  package static func find() throws -> Int {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    return try bind(socket)
  }

  /// Binds a socket to a free port. Returns the port.
  static func bind(_ socket: Int32) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard isBound else { throw MosquittoFailure(description: "no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
