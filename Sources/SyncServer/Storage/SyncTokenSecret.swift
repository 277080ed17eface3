import Sync

/// The secret of a token, of which only the digest is stored. It has 256 random bits, so the digest needs no salt.
package struct SyncTokenSecret: Hashable, Sendable {
  private static let prefix = "tgs_"

  /// The text that a client sends: `tgs_` and 64 hexadecimal digits.
  package let text: String

  /// Makes a new secret.
  package init() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<ContentDigest.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    text = Self.prefix + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Creates a secret from the value of the field Authorization. Returns `nil` if it is not a bearer token of this form.
  package init?(authorization: String) {
    let words = authorization.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0].lowercased() == "bearer", words[1].hasPrefix(Self.prefix),
      SpaceID(text: words[1].dropFirst(Self.prefix.count)) != nil
    else { return nil }
    text = String(words[1])
  }

  /// The SHA-256 digest.
  package var digest: ContentDigest { ContentDigest(of: Array(text.utf8)) }
}
