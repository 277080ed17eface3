/// An LE link-layer packet (Core Specification 5.4, Vol 6, Part B, 2.1–2.4).
struct LinkLayerPacket {
  /// The access address of the advertising channels.
  static let advertisingAddress: UInt32 = 0x8E89_BED6
  /// The length of the CRC after the PDU, in bytes.
  static let checksumLength = 3

  let accessAddress: UInt32
  /// The first byte of the PDU header.
  let header: UInt8
  /// The range of the PDU without header and CRC, in the bytes from which the packet was read.
  let payload: Range<Int>

  /// Reads the packet that begins with its access address at `start`, or returns `nil` if there are fewer bytes than its length
  /// field says. On the coded PHY a coding indicator follows the access address, and some firmware pads the two bytes of the
  /// PDU header with a third.
  init?(_ bytes: Span<UInt8>, at start: Int, isCoded: Bool = false, isPadded: Bool = false) {
    let pdu = start + 4 + (isCoded ? 1 : 0)
    guard let accessAddress = bytes.littleEndian32(at: start), let header = bytes.byte(at: pdu),
      let length = bytes.byte(at: pdu + 1)
    else { return nil }
    let first = pdu + 2 + (isPadded ? 1 : 0)
    guard bytes.holds(Int(length), at: first) else { return nil }
    self.accessAddress = accessAddress
    self.header = header
    payload = first..<(first + Int(length))
  }

  var isAdvertising: Bool { accessAddress == Self.advertisingAddress }
}
