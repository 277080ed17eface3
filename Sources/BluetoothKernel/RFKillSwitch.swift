/// One switch of a Bluetooth radio.
package struct RFKillSwitch: Hashable, Sendable {
  /// The N of rfkillN.
  package let index: UInt32
  /// The name of the switch: hci0, or the name of a laptop's key.
  package let name: String
  /// Whether the radio was switched off by a program. A program can undo it.
  package let isSoftBlocked: Bool
  /// Whether the radio was switched off by a key or the firmware. A program cannot undo it.
  package let isHardBlocked: Bool

  package init(index: UInt32, name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
    self.index = index
    self.name = name
    self.isSoftBlocked = isSoftBlocked
    self.isHardBlocked = isHardBlocked
  }
}
