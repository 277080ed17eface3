import TachogramCore

/// The receiver of the events that the dissector finds, in the order of the capture. Connections are numbered from 0 in order
/// of appearance, identically in every pass over the same file.
protocol CaptureSink {
  /// Whether advertisements are dissected. This takes time, and only names are read from them.
  var wantsAdvertisements: Bool { get }

  /// A connection appeared. An address is `nil` where the capture does not contain it.
  mutating func connectionAppeared(_ number: Int, near: BluetoothAddress?, far: BluetoothAddress?)
  /// An attribute protocol PDU. `sender` is `nil` where the capture does not contain the direction.
  mutating func attribute(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?)
  /// An end sent its identity address while bonding. `sender` is `nil` where the capture does not contain the direction.
  mutating func identity(_ address: BluetoothAddress, connection: Int, sender: LinkEnd?)
  /// A connection ended, with an HCI error code.
  mutating func disconnected(_ connection: Int, reason: UInt8)
  /// A device advertised its name.
  mutating func advertisedName(_ name: Span<UInt8>, of address: BluetoothAddress)
}
