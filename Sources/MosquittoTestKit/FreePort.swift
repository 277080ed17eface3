import Glibc

/// Finds TCP ports of 127.0.0.1 that nothing uses at the moment.
package enum FreePort {
  /// Ports that the kernel gives to no connection, which could take one between two uses.
  private static let range = 10_000..<32_000

  /// Returns a port. Another program may take it before the caller does.
  package static func find() throws -> Int {
    for _ in 0..<100 {
      let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      if let port = try? bind(socket, to: Int.random(in: range)) { return port }
    }
    throw MosquittoFailure(description: "no free port")
  }

  /// Binds a socket to a port, or to any free one. Returns the port.
  static func bind(_ socket: Int32, to port: Int = 0) throws -> Int {
    var address = sockaddr_in()
    address.sin_port = in_port_t(port).bigEndian
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
