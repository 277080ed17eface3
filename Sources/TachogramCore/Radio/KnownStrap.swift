/// A strap that the user paired.
package struct KnownStrap: Hashable, Sendable {
  package var address: BluetoothAddress
  /// The name that the user chose; unique among the straps.
  package var name: String
  /// The name that the strap advertises.
  package var advertisedName: String?
  /// Whether it was bonded.
  package var isBonded: Bool
  package var added: WallTime
  /// The default person of its sessions.
  package var person: String?
  /// The default label of its sessions.
  package var label: String?

  /// Whether the strap can be recognised when it is in range again: by a lasting address or by its bond. The advertised name is
  /// not sufficient, because any device can advertise it.
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
