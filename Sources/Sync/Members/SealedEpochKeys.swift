import Crypto
import FoundationEssentials

/// The private keys of epochs, sealed to one member with HPKE.
package struct SealedEpochKeys: Hashable, Sendable {
  /// The maximum number of keys.
  static let mostKeys = 4096
  private static let purpose = Data("tachogram sync 1 epoch keys".utf8)
  private static let keyLength = 36

  package let recipient: StationID
  let encapsulation: [UInt8]
  let ciphertext: [UInt8]

  /// Seals keys to a member.
  init(_ keys: [EpochKey], to member: StationIdentity, by author: StationID) throws(MembershipFailure) {
    var writer = ByteWriter()
    for key in keys.suffix(Self.mostKeys) {
      writer.write(integer: key.epoch)
      writer.write(key.privateKey)
    }
    guard let agreement = try? member.agreement(),
      var sender = try? HPKE.Sender(recipientKey: agreement, ciphersuite: SyncSuite.hpke, info: Self.purpose),
      let sealed = try? sender.seal(writer.bytes, authenticating: Self.associated(member.id, author))
    else { throw .cannotSeal }
    recipient = member.id
    encapsulation = Array(sender.encapsulatedKey)
    ciphertext = Array(sealed)
  }

  /// Returns the keys. Returns `nil` if they are not sealed to `keys` by `author`.
  func open(with keys: StationKeys, author: StationID) -> [EpochKey]? {
    guard recipient == keys.id,
      var opener = try? HPKE.Recipient(
        privateKey: keys.agreement, ciphersuite: SyncSuite.hpke, info: Self.purpose,
        encapsulatedKey: Data(encapsulation)),
      let opened = try? opener.open(ciphertext, authenticating: Self.associated(recipient, author))
    else { return nil }
    var reader = ByteReader(Array(opened))
    var found: [EpochKey] = []
    while reader.remaining > 0 {
      guard let epoch = try? reader.readInteger(UInt32.self, "epoch"), let key = try? reader.read(32, "key"),
        let epochKey = try? EpochKey(epoch: epoch, privateKey: key)
      else { return nil }
      found.append(epochKey)
    }
    return found
  }

  private static func associated(_ recipient: StationID, _ author: StationID) -> [UInt8] {
    recipient.digest.bytes + author.digest.bytes
  }

  // MARK: - Encoding

  func write(to writer: inout ByteWriter) {
    writer.write(recipient.digest)
    writer.write(encapsulation)
    writer.write(counted: ciphertext)
  }

  init(from reader: inout ByteReader) throws(FormatFailure) {
    recipient = StationID(digest: try reader.readDigest("recipient"))
    encapsulation = try reader.read(SyncSuite.x25519ChaChaPoly.encapsulationLength, "encapsulation")
    ciphertext = try reader.readBytes("sealed keys", limit: Self.mostKeys * Self.keyLength + 16)
  }
}
