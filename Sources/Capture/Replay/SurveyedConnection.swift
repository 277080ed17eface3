import TachogramCore

/// One connection as the survey saw it.
struct SurveyedConnection {
  var nearAddress: BluetoothAddress?
  var farAddress: BluetoothAddress?
  /// Identity addresses revealed while bonding; they outlive random addresses.
  var nearIdentity: BluetoothAddress?
  var farIdentity: BluetoothAddress?
  var near = AttributeServer()
  var far = AttributeServer()

  func server(_ end: LinkEnd) -> AttributeServer {
    end == .near ? near : far
  }

  /// Takes a PDU between the server at an end and its client; the handle that this server has named as Service Changed.
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

  /// Takes a Service Changed indication of the server at an end.
  mutating func change(_ change: ServiceChange, of end: LinkEnd) {
    if end == .near { near.change(change) } else { far.change(change) }
  }

  /// The address of an end on the air.
  func address(_ end: LinkEnd) -> BluetoothAddress? {
    end == .near ? nearAddress : farAddress
  }

  /// The identity address that an end revealed.
  func identity(_ end: LinkEnd) -> BluetoothAddress? {
    end == .near ? nearIdentity : farIdentity
  }

  /// The addresses under which an end may have advertised.
  func addresses(_ end: LinkEnd) -> [BluetoothAddress] {
    [identity(end), address(end)].compactMap(\.self)
  }
}
