import Crypto

/// The public keys of a station: Ed25519 for signatures, X25519 for what is sealed to it. The station signs its X25519 key, so
/// that nobody can replace it.
package struct StationIdentity: Hashable, Sendable {
  /// The length of the encoded form, in bytes.
  package static let byteCount = 128
  private static let purpose = Array("tachogram sync 1 identity\0".utf8)

  /// The Ed25519 public key, 32 bytes.
  package let signingKey: [UInt8]
  /// The X25519 public key, 32 bytes.
  package let agreementKey: [UInt8]
  /// The Ed25519 signature of the X25519 key, 64 bytes.
  package let signature: [UInt8]

  package let id: StationID

  init(signing: Curve25519.Signing.PrivateKey, agreement: Curve25519.KeyAgreement.PrivateKey) throws(KeyFailure) {
    signingKey = Array(signing.publicKey.rawRepresentation)
    agreementKey = Array(agreement.publicKey.rawRepresentation)
    id = StationID(signingKey: signingKey)
    do {
      signature = Array(try signing.signature(for: Self.purpose + agreementKey))
    } catch {
      throw .cannotSign
    }
  }

  /// Decodes an identity and verifies its signature.
  package init(bytes: [UInt8]) throws(KeyFailure) {
    guard bytes.count == Self.byteCount else { throw .invalidIdentity }
    signingKey = Array(bytes[..<32])
    agreementKey = Array(bytes[32..<64])
    signature = Array(bytes[64...])
    id = StationID(signingKey: signingKey)
    guard isSigned(Self.purpose + agreementKey, signature) else { throw .invalidIdentity }
  }

  /// The encoded form: both keys and the signature.
  package var bytes: [UInt8] { signingKey + agreementKey + signature }

  /// Returns whether `signature` is the station's signature of `message`.
  package func isSigned(_ message: [UInt8], _ signature: [UInt8]) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: signingKey) else { return false }
    return key.isValidSignature(signature, for: message)
  }

  func agreement() throws(KeyFailure) -> Curve25519.KeyAgreement.PublicKey {
    guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: agreementKey) else {
      throw .invalidIdentity
    }
    return key
  }
}
