import TachogramCore

/// A connection in the survey.
struct SurveyedConnection {
  var nearAddress: BluetoothAddress?
  var farAddress: BluetoothAddress?
  /// The identity addresses revealed by bonding, which outlast random addresses.
  var nearIdentity: BluetoothAddress?
  var farIdentity: BluetoothAddress?
  var near = AttributeServer()
  var far = AttributeServer()

  func server(_ end: LinkEnd) -> AttributeServer {
    end == .near ? near : far
  }

  /// Handles a PDU between the server at an end and its client. Returns the handle that this server has named as Service
  /// Changed.
  mutating func observe(_ opcode: AttributeOpcode, _ pdu: Span<UInt8>, of end: LinkEnd, at moment: Int) -> UInt16? {
    switch end {
    case .near:
      near.observe(opcode, pdu, at: moment)
      return near.serviceChangedHandle
    case .far:
      far.observe(opcode, pdu, at: moment)
      return far.serviceChangedHandle
    }
  }

  /// Handles a Service Changed indication of the server at an end.
  mutating func change(_ change: ServiceChange, of end: LinkEnd) {
    if end == .near { near.change(change) } else { far.change(change) }
  }

  /// Returns the address that an end used on the air.
  func address(_ end: LinkEnd) -> BluetoothAddress? {
    end == .near ? nearAddress : farAddress
  }

  /// Returns the identity address that an end revealed.
  func identity(_ end: LinkEnd) -> BluetoothAddress? {
    end == .near ? nearIdentity : farIdentity
  }

  /// Returns the addresses under which an end may have advertised.
  func addresses(_ end: LinkEnd) -> [BluetoothAddress] {
    [identity(end), address(end)].compactMap(\.self)
  }
}
