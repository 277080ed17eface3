/// The HCI commands and events that hold keys, or data from which keys can be computed, and are never written to a capture.
///
/// This is a deny list, for the scope that writes everything else. The scope of heart-rate links uses an allow list. Names as
/// in Core Specification 5.4, Vol 4, Part E, 7.
enum MonitorSecrets {
  private static let commands: Set<UInt16> = [
    0x040B,  // Link Key Request Reply
    0x040D,  // PIN Code Request Reply
    0x042E,  // User Passkey Request Reply
    0x0430, 0x0445,  // Remote OOB (Extended) Data Request Reply
    0x0C0D, 0x0C11,  // Read, Write Stored Link Key
    0x0C57, 0x0C7D,  // Read Local OOB (Extended) Data
    0x2017, 0x2018,  // LE Encrypt, LE Rand
    0x2019, 0x201A,  // LE Enable Encryption, LE Long Term Key Request Reply
    0x2026, 0x205E,  // LE Generate DHKey
    0x2027,  // LE Add Device To Resolving List: identity resolving keys
    0x2068, 0x2069, 0x206B,  // LE Create BIG, LE BIG Create Sync: broadcast codes
  ]
  private static let events: Set<UInt8> = [
    0x15,  // Return Link Keys
    0x18,  // Link Key Notification
    0x33,  // User Confirmation Request
    0x3B,  // User Passkey Notification
    0xFF,  // vendor-specific: contents unknown
  ]
  private static let lowEnergyEvents: Set<UInt8> = [
    0x05,  // Long Term Key Request: the numbers that name a key
    0x09, 0x1E,  // Generate DHKey Complete
  ]

  /// Returns whether a command is, or may be, secret. A command that is too short to decide is secret.
  static func isSecret(command bytes: [UInt8]) -> Bool {
    guard bytes.count >= 3 else { return true }
    return isSecret(opcode: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
  }

  /// Returns whether an event is, or may be, secret. An event that is too short to decide is secret.
  static func isSecret(event bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2 else { return true }
    switch bytes[0] {
    case 0x3E: return bytes.count < 3 || lowEnergyEvents.contains(bytes[2])
    // Command Complete carries the data that the command requested.
    case 0x0E: return bytes.count < 5 || isSecret(opcode: UInt16(bytes[3]) | UInt16(bytes[4]) << 8)
    default: return events.contains(bytes[0])
    }
  }

  /// Returns whether a command is secret. Vendor commands (group 0x3F) may contain anything, so they count as secret.
  private static func isSecret(opcode: UInt16) -> Bool {
    opcode >> 10 == 0x3F || commands.contains(opcode)
  }
}
