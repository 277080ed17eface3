/// An error for readings that are not available because Bluetooth cannot be used. The command line describes `availability` for
/// people.
package struct BluetoothUnavailableError: Error, Hashable, Sendable {
  /// The obstacle. Never `ready`.
  package let availability: BluetoothAvailability

  package init(availability: BluetoothAvailability) {
    self.availability = availability
  }
}
