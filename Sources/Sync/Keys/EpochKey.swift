import Crypto

/// The X25519 key pair of an epoch. Chunks are sealed to its public key; readers hold the private key.
package struct EpochKey: Sendable {
  /// The number of the epoch, counted from 1.
  package let epoch: UInt32
  let agreement: Curve25519.KeyAgreement.PrivateKey

  /// Creates a random key for an epoch.
  package init(epoch: UInt32) {
    self.epoch = epoch
    agreement = Curve25519.KeyAgreement.PrivateKey()
  }

  /// Creates the key of an epoch from a private key of 32 bytes.
  package init(epoch: UInt32, privateKey: [UInt8]) throws(KeyFailure) {
    guard let agreement = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey) else {
      throw .invalidKey
    }
    self.epoch = epoch
    self.agreement = agreement
  }

  /// The private key, 32 bytes.
  package var privateKey: [UInt8] { Array(agreement.rawRepresentation) }

  /// The public key.
  package var publicKey: EpochPublicKey {
    EpochPublicKey(epoch: epoch, key: Array(agreement.publicKey.rawRepresentation))
  }
}
