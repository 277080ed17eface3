import Crypto

/// The algorithms of an envelope. The byte leaves room for others, such as X-Wing, which adds ML-KEM.
package enum SyncSuite: UInt8, Hashable, Sendable, CaseIterable {
  /// HPKE (RFC 9180) in base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20Poly1305; Ed25519; SHA-256.
  case x25519ChaChaPoly = 1

  /// The length of an HPKE encapsulation, in bytes.
  package var encapsulationLength: Int { 32 }

  /// The length that sealing adds, in bytes.
  package var tagLength: Int { 16 }

  static let hpke = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
}
