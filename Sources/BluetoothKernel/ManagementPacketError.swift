/// The reason why a packet of the management interface is invalid.
package enum ManagementPacketError: Error, Hashable, Sendable {
  /// The structure `what` needs at least `needed` bytes, but only `available` are present.
  case truncated(what: String, needed: Int, available: Int)
  /// The header says that `declared` bytes follow, but `present` do.
  case lengthMismatch(declared: Int, present: Int)
  /// The length of `what` does not fit in 16 bits.
  case tooLong(what: String, length: Int)
}

extension ManagementPacketError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated(let what, let needed, let available):
      "\(what) is cut off: \(available) of at least \(needed) byte(s) are there"
    case .lengthMismatch(let declared, let present):
      "the header announces \(declared) byte(s), \(present) follow"
    case .tooLong(let what, let length):
      "\(what) is too long: \(length) bytes"
    }
  }
}
