import TachogramCore

/// A selector of a strap.
package enum StrapSelector: Hashable, Sendable {
  /// The strap with this identity address.
  case address(BluetoothAddress)
  /// The first strap received that advertises this name, and from then on the same strap by its address. Names are not unique.
  case name(String)
  /// The first strap received with a Heart Rate Service, and from then on the same strap.
  case any

  /// Whether a device matches. Public and random addresses are not distinguished, because addresses are usually written without
  /// their type.
  package func matches(_ device: BlueZDevice) -> Bool {
    switch self {
    case .address(let address): device.address.matches(address)
    case .name(let name): device.name == name
    case .any: device.offersHeartRate
    }
  }
}
