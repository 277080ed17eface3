/// A signed record of the membership log. It names the records that its author had seen; records of different authors at the same
/// time form branches, which merge.
///
/// Layout: `TGSM`, version (1 byte), space (32, zeros in the record that founds it), author (32), parents (varint count, 32
/// each, ascending), change, Ed25519 signature (64).
package struct MemberRecord: Hashable, Sendable {
  /// The maximum number of parents.
  package static let mostParents = 64
  /// The maximum length of an encoded record, in bytes.
  package static let longest = 512 << 10
  private static let magic = Array("TGSM".utf8)
  private static let version: UInt8 = 1
  private static let signatureLength = 64
  private static let purpose = Array("tachogram sync 1 member record\0".utf8)

  /// The space, or `nil` in the record that founds it.
  package let space: SpaceID?
  package let author: StationID
  /// The last records that the author had seen, ascending.
  package let parents: [ContentDigest]
  package let change: MemberChange
  package let signature: [UInt8]
  /// The digest of the encoded record.
  package let digest: ContentDigest

  /// Creates a record that `keys` sign.
  init(
    space: SpaceID?, parents: [ContentDigest], change: MemberChange, by keys: StationKeys
  ) throws(MembershipFailure) {
    self.space = space
    author = keys.id
    self.parents = Array(parents.sorted().prefix(Self.mostParents))
    self.change = change
    let content = Self.content(space, keys.id, self.parents, change)
    do {
      signature = try keys.sign(Self.purpose + content)
    } catch {
      throw .key(error)
    }
    digest = ContentDigest(of: content + signature)
  }

  /// Decodes a record. The signature is not verified.
  package init(bytes: [UInt8]) throws(FormatFailure) {
    guard bytes.count <= Self.longest else {
      throw FormatFailure(field: "record", offset: 0, reason: .tooLarge(limit: Self.longest))
    }
    var reader = ByteReader(bytes)
    guard try reader.read(4, "magic") == Self.magic else {
      throw FormatFailure(field: "magic", offset: 0, reason: .invalidValue)
    }
    let version = try reader.readByte("version")
    guard version == Self.version else {
      throw FormatFailure(field: "version", offset: 4, reason: .unknownVersion(version))
    }
    let space = try reader.readDigest("space")
    self.space = space == .zero ? nil : SpaceID(digest: space)
    author = StationID(digest: try reader.readDigest("author"))
    parents = try reader.readDigests("parents", limit: Self.mostParents)
    change = try MemberChange(from: &reader)
    signature = try reader.read(Self.signatureLength, "signature")
    try reader.finish("record")
    digest = ContentDigest(of: bytes)
  }

  /// The encoded record.
  package var bytes: [UInt8] { Self.content(space, author, parents, change) + signature }

  /// Returns whether the record is signed by `identity`, and names it as its author.
  package func isSigned(by identity: StationIdentity) -> Bool {
    identity.id == author && identity.isSigned(Self.purpose + Self.content(space, author, parents, change), signature)
  }

  private static func content(
    _ space: SpaceID?, _ author: StationID, _ parents: [ContentDigest], _ change: MemberChange
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(magic)
    writer.write(byte: version)
    writer.write(space?.digest ?? .zero)
    writer.write(author.digest)
    writer.write(digests: parents)
    change.write(to: &writer)
    return writer.bytes
  }
}
