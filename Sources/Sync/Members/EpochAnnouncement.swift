/// A new epoch: its public key, and its private key sealed to each member that may read.
package struct EpochAnnouncement: Hashable, Sendable {
  /// The maximum number of recipients.
  static let mostRecipients = 1024

  package let publicKey: EpochPublicKey
  /// The sealed private key by recipient, in the order of their identifiers.
  package let sealed: [SealedEpochKeys]

  /// Creates the announcement of `key` to the members that may read.
  init(_ key: EpochKey, to members: some Sequence<Member>, by author: StationID) throws(MembershipFailure) {
    publicKey = key.publicKey
    var sealed: [SealedEpochKeys] = []
    for member in members.filter(\.role.canRead).sorted(by: { $0.id < $1.id }) {
      sealed.append(try SealedEpochKeys([key], to: member.identity, by: author))
    }
    self.sealed = sealed
  }

  // MARK: - Encoding

  func write(to writer: inout ByteWriter) {
    writer.write(integer: publicKey.epoch)
    writer.write(publicKey.key)
    writer.write(count: sealed.count)
    for keys in sealed { keys.write(to: &writer) }
  }

  init(from reader: inout ByteReader) throws(FormatFailure) {
    let start = reader.failure("epoch", .invalidValue)
    let epoch = try reader.readInteger(UInt32.self, "epoch")
    guard epoch != EnvelopeHeader.memberEpoch else { throw start }
    publicKey = EpochPublicKey(epoch: epoch, key: try reader.read(32, "epoch key"))
    var sealed: [SealedEpochKeys] = []
    for _ in 0..<(try reader.readCount("recipients", limit: Self.mostRecipients)) {
      let start = reader.failure("recipient", .invalidValue)
      let keys = try SealedEpochKeys(from: &reader)
      if let last = sealed.last, last.recipient >= keys.recipient { throw start }
      sealed.append(keys)
    }
    self.sealed = sealed
  }
}
