import TachogramCore

/// An adapter as described by the kernel.
package struct KernelAdapter: Hashable, Sendable {
  /// The N of hciN. It changes when an adapter is plugged in again.
  package let index: UInt16
  package let address: BluetoothAddress
  /// The version of the Bluetooth specification, as an assigned number: 10 is 5.1, 13 is 5.4.
  package let version: UInt8
  /// The maker, as an assigned company identifier.
  package let manufacturer: UInt16
  package let supported: AdapterSettings
  package let current: AdapterSettings
  package let name: String

  package init(
    index: UInt16, address: BluetoothAddress, version: UInt8, manufacturer: UInt16, supported: AdapterSettings,
    current: AdapterSettings, name: String
  ) {
    self.index = index
    self.address = address
    self.version = version
    self.manufacturer = manufacturer
    self.supported = supported
    self.current = current
    self.name = name
  }

  /// The return parameters of Read Controller Information: 280 bytes, of which those after the name are not needed.
  init(index: UInt16, information: [UInt8]) throws(ManagementPacketError) {
    var reader = LittleEndianReader(information[...], what: "the description of hci\(index)")
    self.index = index
    address = BluetoothAddress(littleEndian: try reader.read(6), kind: .public) ?? .unknown
    version = try reader.uint8()
    manufacturer = try reader.uint16()
    supported = AdapterSettings(rawValue: try reader.uint32())
    current = AdapterSettings(rawValue: try reader.uint32())
    _ = try reader.read(3)  // class of device
    name = try reader.text(249)
  }

  /// The name that the kernel and bluetoothd use: hci0.
  package var deviceName: String { "hci\(index)" }
}
