/// The identifier of a station: the SHA-256 digest of its Ed25519 public key. A station cannot choose it, and no other key has
/// it.
package struct StationID: Hashable, Sendable {
  package let digest: ContentDigest

  /// Creates the identifier of the station with an Ed25519 public key of 32 bytes.
  package init(signingKey: [UInt8]) {
    digest = ContentDigest(of: signingKey)
  }

  package init(digest: ContentDigest) {
    self.digest = digest
  }

  /// Creates an identifier from its 64 hexadecimal digits in lower case. Returns `nil` for any other text.
  package init?(text: some StringProtocol) {
    guard let bytes = Hexadecimal.bytes(text), let digest = ContentDigest(bytes: bytes) else { return nil }
    self.digest = digest
  }

  /// The first 64 bits as four words, for people to compare.
  package var words: String {
    let bytes = digest.bytes
    return (0..<4).map { Proquint.word(UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1])) }.joined(separator: "-")
  }
}

extension StationID: Comparable {
  package static func < (left: StationID, right: StationID) -> Bool { left.digest < right.digest }
}

extension StationID: CustomStringConvertible {
  /// The 64 hexadecimal digits.
  package var description: String { digest.description }
}
