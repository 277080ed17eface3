import Glibc

/// The address of a port of 127.0.0.1 for the functions of sockets.
enum LoopbackAddress {
  /// Calls `body` with the address, which it may change. Returns its result and the port of the address afterwards.
  static func with(
    port: Int, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool
  ) -> (isDone: Bool, port: Int) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isDone = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
    }
    return (isDone, Int(UInt16(bigEndian: address.sin_port)))
  }
}
