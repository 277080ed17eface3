import Glibc

/// Floods a socket with notifications of heart rate 72 and one RR interval.
struct PacketSender {
  let descriptor: Int32
  let count: Int

  func run() throws {
    let packet: [UInt8] = [0x10, 72, 0x55, 0x03]
    for _ in 0..<count {
      while send(descriptor, packet, packet.count, Int32(MSG_NOSIGNAL)) < 0 {
        guard errno == EINTR else { return try Bench.report("send failed: \(errno)") }
      }
    }
  }
}
