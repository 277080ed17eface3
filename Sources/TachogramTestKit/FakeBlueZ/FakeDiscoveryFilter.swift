/// What a client that discovers is after.
package struct FakeDiscoveryFilter: Hashable, Sendable {
  /// Service UUIDs of which a device has to offer one; empty: any device.
  package var services: Set<String> = []
  /// `DuplicateData`: every advertisement is told, and not only the first of a device.
  package var wantsDuplicates = false

  /// Whether it is one at all: then the strength of each advertisement is told, else only one that has changed.
  var isSet: Bool { !services.isEmpty || wantsDuplicates }

  /// Whether it lets a strap through.
  func isAfter(_ strap: FakeStrap) -> Bool {
    services.isEmpty || !services.isDisjoint(with: strap.advertisedServices.map(FakeNames.uuid))
  }
}
