import BlueZ
import TachogramCore

extension KnownStrap {
  /// Creates the strap that was paired in a trial. Without a name it has the one that it advertises, or else its address.
  package init(_ device: BlueZDevice, _ heard: StrapTrial.Heard, name: String? = nil, added: WallTime) {
    let advertised = device.name.map(ChosenName.shown).flatMap { $0.isEmpty ? nil : $0 }
    self.init(
      address: heard.identity?.address ?? device.address, name: name ?? advertised ?? device.address.description,
      advertisedName: device.name, isBonded: heard.isBonded, added: added)
  }
}
