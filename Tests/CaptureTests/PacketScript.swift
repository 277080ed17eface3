/// The packets of one short heart-rate session, to be wrapped in every format: H4 packets with direction and time.
struct PacketScript {
  struct Packet {
    /// H4: type byte and body.
    var bytes: [UInt8]
    var isReceived: Bool
    /// Microseconds since 1970.
    var time: Int64
  }

  static let address: [UInt8] = [0x01, 0x00, 0x00, 0xEE, 0xFF, 0xC0]
  static let values: [[UInt8]] = [[0x16, 0x48, 0x00, 0x04], [0x06, 0x49], [0x16, 0x4A, 0xF0, 0x03, 0xF1, 0x03]]

  private(set) var packets: [Packet] = []
  private var time: Int64 = 1_767_254_400_123_456

  /// A connection with discovery and subscription, then the three values, then the end of the link.
  static func session(discovery: Bool = true) -> PacketScript {
    var script = PacketScript()
    script.add([4, 0x3E, 19, 1, 0, 0x40, 0, 0, 1] + address + [24, 0, 0, 0, 0xF4, 1, 0], isReceived: true)
    if discovery {
      script.attribute([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], isReceived: false)
      script.attribute([0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A], isReceived: true)
    }
    script.attribute([0x12, 0x11, 0, 1, 0], isReceived: false)
    script.attribute([0x13], isReceived: true)
    for value in values { script.attribute([0x1B, 0x10, 0] + value, isReceived: true) }
    script.add([4, 0x05, 4, 0, 0x40, 0, 0x08], isReceived: true)
    return script
  }

  mutating func add(_ bytes: [UInt8], isReceived: Bool) {
    packets.append(Packet(bytes: bytes, isReceived: isReceived, time: time))
    time += 1_000_001
  }

  /// An attribute PDU, cut into ACL packets of at most `fragment` bytes.
  mutating func attribute(_ pdu: [UInt8], isReceived: Bool, fragment: Int = 1000) {
    let frame = [UInt8(pdu.count & 0xFF), UInt8(pdu.count >> 8), 4, 0] + pdu
    for start in stride(from: 0, to: frame.count, by: fragment) {
      let piece = Array(frame[start..<min(frame.count, start + fragment)])
      let boundary: UInt8 = start > 0 ? 0x10 : isReceived ? 0x20 : 0x00
      add([2, 0x40, boundary, UInt8(piece.count & 0xFF), UInt8(piece.count >> 8)] + piece, isReceived: isReceived)
    }
  }
}
