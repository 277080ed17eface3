/// Prepares what the daemon cannot be asked for.
package protocol LinkPreparationProtocol: Sendable {
  /// Does what can be done for the next links from an adapter, by its name (hci0), to a strap. Never fails.
  func prepareLinks(from adapter: String, to strap: BluetoothAddress) async
}
