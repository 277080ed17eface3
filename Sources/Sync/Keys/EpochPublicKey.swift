/// The public key of an epoch, to which chunks are sealed.
package struct EpochPublicKey: Hashable, Sendable {
  /// The number of the epoch, counted from 1.
  package let epoch: UInt32
  /// The X25519 public key, 32 bytes.
  package let key: [UInt8]

  package init(epoch: UInt32, key: [UInt8]) {
    self.epoch = epoch
    self.key = key
  }
}
