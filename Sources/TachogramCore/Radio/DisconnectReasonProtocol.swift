/// A source of the reasons why links ended, which D-Bus does not report.
package protocol DisconnectReasonProtocol: Sendable {
  /// Returns the HCI error code with which the last link to a strap ended, or `nil` if it is not known. Returns immediately.
  func reason(of strap: BluetoothAddress) -> UInt8?

  /// Returns the HCI error code with which the last link to a strap ended, and waits for it until `due`, because the bus may
  /// report the end some milliseconds earlier. Returns early if the task is cancelled.
  func reason(of strap: BluetoothAddress, until due: MonotonicTime) async -> UInt8?
}
