/// Opcodes of the attribute protocol (Core Specification 5.4, Vol 3, Part F, 3.4).
enum AttributeOpcode: UInt8 {
  case errorResponse = 0x01
  case findInformationRequest = 0x04
  case findInformationResponse = 0x05
  case readByTypeRequest = 0x08
  case readByTypeResponse = 0x09
  case readRequest = 0x0A
  case readResponse = 0x0B
  case readByGroupTypeRequest = 0x10
  case readByGroupTypeResponse = 0x11
  case writeRequest = 0x12
  case writeResponse = 0x13
  case notification = 0x1B
  case indication = 0x1D
  case multipleNotification = 0x23
  case writeCommand = 0x52

  /// The opcode of a PDU; nearly all PDUs of a strap notify, so that is asked first.
  @inline(__always)
  init?(of pdu: Span<UInt8>) {
    guard let byte = pdu.byte(at: 0) else { return nil }
    if byte == Self.notification.rawValue {
      self = .notification
    } else {
      self.init(rawValue: byte)
    }
  }

  /// Whether a client sends it; the rest comes from a server.
  var isFromClient: Bool {
    switch self {
    case .findInformationRequest, .readByTypeRequest, .readRequest, .readByGroupTypeRequest, .writeRequest,
      .writeCommand:
      true
    default:
      false
    }
  }

  /// Whether it carries values that nobody asked for.
  var isNotifying: Bool {
    switch self {
    case .notification, .indication, .multipleNotification: true
    default: false
    }
  }
}
