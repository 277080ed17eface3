/// A reader of the values in notifications and indications.
enum AttributePDU {
  /// Calls `body` with the handle and the value of each notification or indication in the PDU. Returns whether the PDU is
  /// complete; a truncated value in it is omitted.
  @inline(__always)
  @discardableResult
  static func forEachNotification(
    _ opcode: AttributeOpcode, _ pdu: Span<UInt8>, _ body: (UInt16, Span<UInt8>) throws -> Void
  ) rethrows -> Bool {
    switch opcode {
    case .notification, .indication:
      guard let handle = pdu.littleEndian16(at: 1) else { return false }
      try body(handle, pdu.extracting(droppingFirst: 3))
      return true
    case .multipleNotification:
      var position = 1
      while let handle = pdu.littleEndian16(at: position), let length = pdu.littleEndian16(at: position + 2),
        pdu.holds(Int(length), at: position + 4)
      {
        let start = position + 4
        position = start + Int(length)
        try body(handle, pdu.extracting(start..<position))
      }
      return position == pdu.count
    default:
      return true
    }
  }
}
