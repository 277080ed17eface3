import GATT
import TachogramCore

/// What to call the straps of a source.
struct StrapNames {
  private let wanted: [String]
  private let choice: StrapChoice

  /// `wanted` are the words for the straps that were asked for, by ordinal.
  init(wanted: [String] = [], choice: StrapChoice) {
    self.wanted = wanted
    self.choice = choice
  }

  /// What the person calls the strap, else what it calls itself, else what it was asked for by, else its address.
  func name(_ strap: Int, _ identity: StrapIdentity?) -> String {
    if let address = identity?.address, address.isKnown, let known = choice.strap(named: address.description) {
      return known.name
    }
    if let name = identity?.text(GATTUUID.deviceName) { return name }
    if strap < wanted.count { return wanted[strap] }
    return identity.map(\.label) ?? "strap \(strap + 1)"
  }
}
