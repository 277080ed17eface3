import TachogramCore

/// One connection as the survey saw it.
struct SurveyedConnection {
  var nearAddress: BluetoothAddress?
  var farAddress: BluetoothAddress?
  /// Identity addresses told while bonding; they outlive random addresses.
  var nearIdentity: BluetoothAddress?
  var farIdentity: BluetoothAddress?
  var near = AttributeServer()
  var far = AttributeServer()

  func server(_ end: LinkEnd) -> AttributeServer {
    end == .near ? near : far
  }

  /// The address of an end on the air.
  func address(_ end: LinkEnd) -> BluetoothAddress? {
    end == .near ? nearAddress : farAddress
  }

  /// The identity address that an end told.
  func identity(_ end: LinkEnd) -> BluetoothAddress? {
    end == .near ? nearIdentity : farIdentity
  }

  /// The addresses under which an end may have advertised.
  func addresses(_ end: LinkEnd) -> [BluetoothAddress] {
    [identity(end), address(end)].compactMap(\.self)
  }
}
