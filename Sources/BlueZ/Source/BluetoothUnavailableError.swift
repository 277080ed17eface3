/// Readings cannot be had, since Bluetooth cannot be used. The command line words `availability` for people.
package struct BluetoothUnavailableError: Error, Hashable, Sendable {
  /// What stands in the way; never `ready`.
  package let availability: BluetoothAvailability

  package init(availability: BluetoothAvailability) {
    self.availability = availability
  }
}
