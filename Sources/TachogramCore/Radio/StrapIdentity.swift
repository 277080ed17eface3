/// The identity of a strap: its address and its describing characteristics.
package struct StrapIdentity: Hashable, Sendable {
  /// The UUID of the Device Name characteristic.
  package static let deviceName: UInt16 = 0x2A00

  /// The identity address if it is known, otherwise the address used on the air.
  package var address: BluetoothAddress
  /// The last value read or notified of each describing characteristic, raw, by its 16-bit UUID: device name (2A00),
  /// battery level (2A19), body sensor location (2A38) and the strings of Device Information (2A24 … 2A29).
  package var characteristics: [UInt16: [UInt8]]

  /// The label of a strap without a name: its address, or `unknown`.
  package var label: String { address.isKnown ? address.description : "unknown" }

  package init(address: BluetoothAddress, characteristics: [UInt16: [UInt8]] = [:]) {
    self.address = address
    self.characteristics = characteristics
  }
}
