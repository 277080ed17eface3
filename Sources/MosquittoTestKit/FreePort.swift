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
    let (isBound, bound) = LoopbackAddress.with(port: port) { address, size in
      Glibc.bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
    }
    guard isBound else { throw MosquittoFailure(description: "no free port") }
    return bound
  }
}
