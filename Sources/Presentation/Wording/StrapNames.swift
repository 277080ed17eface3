import GATT
import TachogramCore

/// The display names of the straps of a source.
package struct StrapNames {
  private let wanted: [String]
  private let known: [KnownStrap]

  /// `wanted` contains the terms by which the straps were requested, by ordinal.
  package init(wanted: [String] = [], known: [KnownStrap]) {
    self.wanted = wanted
    self.known = known
  }

  /// Returns the name that the person gave the strap, else its own name, else the term it was requested by, else its address.
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
  /// Returns a descriptive string of the strap; `nil` if it was not read or is malformed. Control characters are removed, since
  /// a strap may send escape sequences.
  package func text(_ uuid: UInt16) -> String? {
    guard let bytes = characteristics[uuid], let text = try? DeviceInformationString.decode(bytes[...]).text else {
      return nil
    }
    let printable = TerminalText.withoutControls(text)
    return printable.isEmpty ? nil : printable
  }
}
