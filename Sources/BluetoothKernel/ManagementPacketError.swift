/// Why bytes from the management interface are not what they should be.
package enum ManagementPacketError: Error, Hashable, Sendable {
  /// The structure `what` takes at least `needed` bytes, of which only `available` are there.
  case truncated(what: String, needed: Int, available: Int)
  /// The header says that `declared` bytes follow, but `present` do.
  case lengthMismatch(declared: Int, present: Int)
  /// There is more in `what` than its 16-bit length can say.
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
