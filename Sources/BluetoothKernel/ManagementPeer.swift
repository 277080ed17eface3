import TachogramCore

/// The peer of a link as encoded by the management interface: six bytes of address and one of type.
package struct ManagementPeer: Hashable, Sendable {
  package let address: BluetoothAddress
  /// Whether it is an LE peer rather than a classic one.
  package let isLowEnergy: Bool

  package init(address: BluetoothAddress, isLowEnergy: Bool) {
    self.address = address
    self.isLowEnergy = isLowEnergy
  }

  init(_ reader: inout LittleEndianReader) throws(ManagementPacketError) {
    let bytes = try reader.read(6)
    // 0 is BR/EDR, 1 LE public, 2 LE random.
    let type = try reader.uint8()
    address = BluetoothAddress(littleEndian: bytes, kind: type == 2 ? .random : .public) ?? .unknown
    isLowEnergy = type != 0
  }

  var bytes: [UInt8] {
    address.littleEndianBytes + [isLowEnergy ? (address.kind == .random ? 2 : 1) : 0]
  }
}
