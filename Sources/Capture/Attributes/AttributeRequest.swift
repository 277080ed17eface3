import TachogramCore

/// A request of a client that its server has not answered yet.
struct AttributeRequest: Sendable {
  let opcode: AttributeOpcode
  /// The handles that it asks for; one where it names one.
  let handles: ClosedRange<UInt16>
  /// The type that it asks for, as a 16-bit UUID; longer ones are `AttributeType.unknown`.
  let type: UInt16

  /// Reads the PDU of a request; `nil` when it names no handles.
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
