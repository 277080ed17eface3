/// The opcodes of the Linux Bluetooth monitor channel that matter here (BlueZ `src/shared/btsnoop.h`).
enum MonitorOpcode: UInt16 {
  case newIndex = 0
  case deleteIndex = 1
  case command = 2
  case event = 3
  case aclSent = 4
  case aclReceived = 5
  case scoSent = 6
  case scoReceived = 7
  case openIndex = 8
  case closeIndex = 9
  case isoSent = 18
  case isoReceived = 19

  /// Opcodes above this are believed to be damage; 19 are in use.
  private static let highest: UInt16 = 31

  /// Whether a record of `length` bytes can come with an opcode; only those about the adapter itself come without data.
  static func isPossible(_ opcode: UInt16, length: Int) -> Bool {
    guard opcode <= highest else { return false }
    return length > 0 || [deleteIndex, openIndex, closeIndex].contains(MonitorOpcode(rawValue: opcode))
  }
}
