import Presentation
import TachogramCore

/// The JSON output of `straps`.
struct StoredStraps: Encodable {
  struct Strap: Encodable {
    let address: String
    let name: String
    let advertisedName: String?
    let bonded: Bool
    let added: String
  }

  let straps: [Strap]

  init(_ straps: [KnownStrap]) {
    self.straps = straps.map {
      Strap(
        address: $0.address.description, name: $0.name,
        advertisedName: $0.advertisedName.map(TerminalText.withoutControls), bonded: $0.isBonded,
        added: Timestamp.text($0.added))
    }
  }
}
