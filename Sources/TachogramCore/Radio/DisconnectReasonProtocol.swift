/// Knows why links ended, which D-Bus does not report.
package protocol DisconnectReasonProtocol: Sendable {
  /// The HCI error code with which the last link to a strap ended; `nil` when not known, at once.
  func reason(of strap: BluetoothAddress) -> UInt8?

  /// The same, but waits for it until `due`, since the bus may report the end some milliseconds sooner. Returns early when
  /// the task is cancelled.
  func reason(of strap: BluetoothAddress, until due: MonotonicTime) async -> UInt8?
}
