import Presentation
import TachogramCore

/// The JSON output of `straps`.
package struct StoredStraps: Encodable {
  package struct Strap: Encodable {
    package let address: String
    package let name: String
    package let advertisedName: String?
    let bonded: Bool
    package let added: String
  }

  package let straps: [Strap]

  package init(_ straps: [KnownStrap]) {
    self.straps = straps.map {
      Strap(
        address: $0.address.description, name: $0.name,
        advertisedName: $0.advertisedName.map(TerminalText.withoutControls), bonded: $0.isBonded,
        added: Timestamp.text($0.added))
    }
  }
}
