import TachogramCore

/// Which strap is meant.
package enum StrapSelector: Hashable, Sendable {
  /// The strap with this identity address.
  case address(BluetoothAddress)
  /// A strap that advertises this name: the first one that is heard, and from then on that one by its address. Another
  /// strap may call itself the same.
  case name(String)
  /// The first strap with a Heart Rate Service that is heard, and from then on that one.
  case any

  /// Whether a device is meant. Public and random addresses are not distinguished: people copy addresses without that.
  package func matches(_ device: BlueZDevice) -> Bool {
    switch self {
    case .address(let address): device.address.matches(address)
    case .name(let name): device.name == name
    case .any: device.offersHeartRate
    }
  }
}
