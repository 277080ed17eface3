import TachogramCore

/// A client's request to which the server has not responded yet.
struct AttributeRequest: Sendable {
  let opcode: AttributeOpcode
  /// The requested range of handles, or the one handle of the request.
  let handles: ClosedRange<UInt16>
  /// The requested type, as a 16-bit UUID. Longer UUIDs are `AttributeType.unknown`.
  let type: UInt16

  /// Reads the PDU of a request, or returns `nil` if it has no valid handles.
  init?(_ opcode: AttributeOpcode, _ pdu: Span<UInt8>) {
    guard let first = pdu.littleEndian16(at: 1) else { return nil }
    self.opcode = opcode
    switch opcode {
    case .findInformationRequest, .readByTypeRequest, .readByGroupTypeRequest:
      guard let last = pdu.littleEndian16(at: 3), first <= last else { return nil }
      handles = first...last
    default:
      handles = first...first
    }
    type = AttributeType.read(pdu, at: 5, count: pdu.count - 5) ?? AttributeType.unknown
  }
}
