import Crypto

/// A SHA-256 digest.
package struct ContentDigest: Hashable, Sendable {
  /// The length of a digest, in bytes.
  package static let byteCount = 32

  /// The 32 bytes.
  package let bytes: [UInt8]

  /// The digest of no content: the predecessor of the first chunk of a log.
  package static let zero = ContentDigest(unchecked: [UInt8](repeating: 0, count: byteCount))

  /// Creates the digest of `content`.
  package init(of content: [UInt8]) {
    bytes = Array(SHA256.hash(data: content))
  }

  /// Creates a digest from its 32 bytes. Returns `nil` for another number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension ContentDigest: Comparable {
  package static func < (left: ContentDigest, right: ContentDigest) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension ContentDigest: CustomStringConvertible {
  /// The digest in hexadecimal digits.
  package var description: String { Hexadecimal.text(bytes) }
}
