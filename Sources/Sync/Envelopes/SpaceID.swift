/// The identifier of a space, which is a group of stations that share data: the digest of the record that founded it.
package struct SpaceID: Hashable, Sendable {
  package let digest: ContentDigest

  package init(digest: ContentDigest) {
    self.digest = digest
  }

  /// Creates an identifier from its 64 hexadecimal digits in lower case. Returns `nil` for any other text.
  package init?(text: some StringProtocol) {
    guard let bytes = Hexadecimal.bytes(text), let digest = ContentDigest(bytes: bytes) else { return nil }
    self.digest = digest
  }
}

extension SpaceID: CustomStringConvertible {
  /// The 64 hexadecimal digits.
  package var description: String { digest.description }
}
