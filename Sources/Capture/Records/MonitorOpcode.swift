/// The opcodes of the Linux Bluetooth monitor channel that are used here (BlueZ `src/shared/btsnoop.h`).
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

  /// The highest accepted opcode. Higher ones are treated as damage; the highest in use is 19.
  private static let highest: UInt16 = 31

  /// Whether a record with an opcode can have `length` bytes of data. Only those about the adapter itself can be empty.
  static func isPossible(_ opcode: UInt16, length: Int) -> Bool {
    guard opcode <= highest else { return false }
    return length > 0 || [deleteIndex, openIndex, closeIndex].contains(MonitorOpcode(rawValue: opcode))
  }
}
