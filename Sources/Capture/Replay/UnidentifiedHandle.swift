import TachogramCore

/// A handle that nothing in a capture names, and on which every value could be a heart rate.
package struct UnidentifiedHandle: Hashable, Sendable {
  /// The address of the device; unknown where its connection began unheard.
  package let address: BluetoothAddress
  package let handle: UInt16
  /// Notifications on it, on one connection.
  package let notifications: Int
}
