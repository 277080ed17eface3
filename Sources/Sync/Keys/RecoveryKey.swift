import Crypto

/// A key of 256 bits that is shown once, as words to write down. It is a member that is offline: it can read everything, and
/// add a station when all others are lost.
package struct RecoveryKey: Hashable, Sendable {
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// Creates a random key.
  package init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Creates a key from its 32 bytes. Returns `nil` for another number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The keys of the recovery member, derived with HKDF-SHA256 (RFC 5869).
  package func keys() throws(KeyFailure) -> StationKeys {
    func derived(_ purpose: String) -> [UInt8] {
      let key = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: bytes), info: Array("tachogram sync 1 recovery \(purpose)".utf8),
        outputByteCount: 32)
      return key.withUnsafeBytes { Array($0) }
    }
    return try StationKeys(signingKey: derived("signing"), agreementKey: derived("agreement"))
  }
}
