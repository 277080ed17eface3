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

  /// Reads the opcode of a PDU. Nearly all PDUs of a strap are notifications, so these are checked first.
  @inline(__always)
  init?(of pdu: Span<UInt8>) {
    guard let byte = pdu.byte(at: 0) else { return nil }
    if byte == Self.notification.rawValue {
      self = .notification
    } else {
      self.init(rawValue: byte)
    }
  }

  /// Whether it is sent by a client. All others are sent by a server.
  var isFromClient: Bool {
    switch self {
    case .findInformationRequest, .readByTypeRequest, .readRequest, .readByGroupTypeRequest, .writeRequest,
      .writeCommand:
      true
    default:
      false
    }
  }

  /// Whether it contains values that were not requested.
  var isNotifying: Bool {
    switch self {
    case .notification, .indication, .multipleNotification: true
    default: false
    }
  }
}
