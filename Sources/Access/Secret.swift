import COpenSSL

/// Random secrets, and the digests under which they are stored.
enum Secret {
  private static let digits = Array("0123456789abcdefghijkmnpqrstuvwxyz")

  /// Returns a new secret: 40 of 34 characters, 203 bits.
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<40).map { _ in digits.randomElement(using: &generator) ?? "0" })
  }

  /// Returns the SHA-256 digest of a secret. A secret has so many bits that it needs no salt.
  static func digest(_ secret: String) -> [UInt8] {
    let bytes = Array(secret.utf8)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256(bytes, bytes.count, &digest)
    return digest
  }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Whether two texts are the same. The comparison time does not depend on the number of matching bytes.
  static func isEqual(_ one: String, _ other: String) -> Bool {
    let (left, right) = (Array(one.utf8), Array(other.utf8))
    return left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
