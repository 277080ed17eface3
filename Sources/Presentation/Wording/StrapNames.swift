import GATT
import TachogramCore

/// What to call the straps of a source.
package struct StrapNames {
  private let wanted: [String]
  private let known: [KnownStrap]

  /// `wanted` are the words for the straps that were asked for, by ordinal.
  package init(wanted: [String] = [], known: [KnownStrap]) {
    self.wanted = wanted
    self.known = known
  }

  /// What the person calls the strap, else what it calls itself, else what it was asked for by, else its address.
  package func name(_ strap: Int, _ identity: StrapIdentity?) -> String {
    if let address = identity?.address, address.isKnown,
      let known = known.first(where: { $0.address.matches(address) })
    {
      return known.name
    }
    if let name = identity?.text(GATTUUID.deviceName) { return name }
    if strap < wanted.count { return wanted[strap] }
    return identity.map(\.label) ?? "strap \(strap + 1)"
  }
}

extension StrapIdentity {
  /// A describing string of the strap, when it was read and is well-formed. Control characters are left out, since a strap
  /// may send anything and terminals obey.
  package func text(_ uuid: UInt16) -> String? {
    guard let bytes = characteristics[uuid], let text = try? DeviceInformationString.decode(bytes[...]).text else {
      return nil
    }
    let printable = TerminalText.withoutControls(text)
    return printable.isEmpty ? nil : printable
  }
}
