import Crypto

/// The private keys of a station or of the recovery member: Ed25519 for signatures and X25519 for what is sealed to it.
package struct StationKeys: Sendable {
  let signing: Curve25519.Signing.PrivateKey
  let agreement: Curve25519.KeyAgreement.PrivateKey
  /// The public keys.
  package let identity: StationIdentity

  package var id: StationID { identity.id }

  /// Creates random keys.
  package init() throws(KeyFailure) {
    try self.init(signing: Curve25519.Signing.PrivateKey(), agreement: Curve25519.KeyAgreement.PrivateKey())
  }

  /// Creates the keys with two private keys of 32 bytes each.
  package init(signingKey: [UInt8], agreementKey: [UInt8]) throws(KeyFailure) {
    guard let signing = try? Curve25519.Signing.PrivateKey(rawRepresentation: signingKey),
      let agreement = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: agreementKey)
    else { throw .invalidKey }
    try self.init(signing: signing, agreement: agreement)
  }

  private init(
    signing: Curve25519.Signing.PrivateKey, agreement: Curve25519.KeyAgreement.PrivateKey
  ) throws(KeyFailure) {
    self.signing = signing
    self.agreement = agreement
    identity = try StationIdentity(signing: signing, agreement: agreement)
  }

  /// Returns the Ed25519 signature of `message`, 64 bytes.
  package func sign(_ message: [UInt8]) throws(KeyFailure) -> [UInt8] {
    guard let signature = try? signing.signature(for: message) else { throw .cannotSign }
    return Array(signature)
  }
}
