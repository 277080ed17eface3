import TachogramCore

/// A handle without a name in a capture, on which every value could be a heart rate.
package struct UnidentifiedHandle: Hashable, Sendable {
  /// The address of the device, or the unknown address if the beginning of its connection was not captured.
  package let address: BluetoothAddress
  package let handle: UInt16
  /// The number of notifications on it, on one connection.
  package let notifications: Int
}
