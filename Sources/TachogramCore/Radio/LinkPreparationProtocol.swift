/// Prepares the parts of a link that the Bluetooth daemon cannot configure.
package protocol LinkPreparationProtocol: Sendable {
  /// Prepares the next links from an adapter, given by its name (hci0), to a strap. Errors are ignored.
  func prepareLinks(from adapter: String, to strap: BluetoothAddress) async
}
