/// One switch of a Bluetooth radio.
package struct RFKillSwitch: Hashable, Sendable {
  /// The N of rfkillN.
  package let index: UInt32
  /// What it switches: hci0, or the name that a laptop's key has.
  package let name: String
  /// Switched off by a program, which a program can undo.
  package let isSoftBlocked: Bool
  /// Switched off by a key or the firmware, which only hands can undo.
  package let isHardBlocked: Bool

  package init(index: UInt32, name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
    self.index = index
    self.name = name
    self.isSoftBlocked = isSoftBlocked
    self.isHardBlocked = isHardBlocked
  }
}
