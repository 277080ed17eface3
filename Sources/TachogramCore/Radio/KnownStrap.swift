/// A strap that a person paired.
package struct KnownStrap: Hashable, Sendable {
  package var address: BluetoothAddress
  /// What the person calls it; no two straps have the same.
  package var name: String
  /// What it calls itself.
  package var advertisedName: String?
  /// Whether it was bonded.
  package var isBonded: Bool
  package var added: WallTime

  package init(
    address: BluetoothAddress, name: String, advertisedName: String? = nil, isBonded: Bool = false, added: WallTime,
  ) {
    self.address = address
    self.name = name
    self.advertisedName = advertisedName
    self.isBonded = isBonded
    self.added = added
  }
}
