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
  /// Who wears it, unless said otherwise.
  package var person: String?
  /// What its sessions are called, unless said otherwise.
  package var label: String?

  /// Whether it can be recognised when it comes back: by an address that it keeps, or by its bond. What it calls
  /// itself is no proof, since anybody in range can call himself so.
  package var isRecognisable: Bool { isBonded || address.isLasting }

  package init(
    address: BluetoothAddress, name: String, advertisedName: String? = nil, isBonded: Bool = false, added: WallTime,
    person: String? = nil, label: String? = nil,
  ) {
    self.address = address
    self.name = name
    self.advertisedName = advertisedName
    self.isBonded = isBonded
    self.added = added
    self.person = person
    self.label = label
  }
}
