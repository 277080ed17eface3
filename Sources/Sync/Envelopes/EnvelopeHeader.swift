/// The header of a chunk. It is readable without the body, so that a chain of chunks verifies after bodies are deleted.
///
/// Layout, integers with the most significant byte first: `TGSC`, version (1 byte), suite (1), space (32), station (32),
/// epoch (4), sequence (8), digest of the previous header (32), length of the body (4), SHA-256 of the body (32), HPKE
/// encapsulation (32), Ed25519 signature (64).
package struct EnvelopeHeader: Hashable, Sendable {
  private static let magic = Array("TGSC".utf8)
  private static let version: UInt8 = 1
  private static let signatureLength = 64
  private static let purpose = Array("tachogram sync 1 chunk\0".utf8)

  /// The length of a header, in bytes.
  package static let byteCount = 246
  /// The maximum length of a body, in bytes.
  package static let longestBody = 1 << 20
  /// The epoch of a chunk that is sealed to the own key of one member instead of the key of an epoch.
  package static let memberEpoch: UInt32 = 0

  package let suite: SyncSuite
  package let space: SpaceID
  /// The author.
  package let station: StationID
  /// The epoch to whose key the body is sealed, or `memberEpoch`.
  package let epoch: UInt32
  /// The position in the log of the author, counted from 1 without holes.
  package let sequence: UInt64
  /// The digest of the previous header of the log, or `ContentDigest.zero`.
  package let previous: ContentDigest
  /// The length of the body, in bytes.
  package let bodyLength: Int
  package let bodyDigest: ContentDigest
  package let encapsulation: [UInt8]
  /// The signature of the author over all other fields.
  package let signature: [UInt8]

  /// Creates a header that `keys` sign.
  init(
    associated: Fields, bodyDigest: ContentDigest, encapsulation: [UInt8], keys: StationKeys
  ) throws(KeyFailure) {
    let unsigned = Self.purpose + associated.bytes + bodyDigest.bytes + encapsulation
    self.init(
      fields: associated, bodyDigest: bodyDigest, encapsulation: encapsulation, signature: try keys.sign(unsigned))
  }

  private init(fields: Fields, bodyDigest: ContentDigest, encapsulation: [UInt8], signature: [UInt8]) {
    suite = fields.suite
    space = fields.space
    station = fields.station
    epoch = fields.epoch
    sequence = fields.sequence
    previous = fields.previous
    bodyLength = fields.bodyLength
    self.bodyDigest = bodyDigest
    self.encapsulation = encapsulation
    self.signature = signature
  }

  /// Decodes a header from exactly its bytes. The signature is not verified.
  package init(bytes: [UInt8]) throws(FormatFailure) {
    var reader = ByteReader(bytes)
    self = try Self.read(&reader)
    try reader.finish("header")
  }

  static func read(_ reader: inout ByteReader) throws(FormatFailure) -> EnvelopeHeader {
    let fields = try Fields.read(&reader)
    return EnvelopeHeader(
      fields: fields, bodyDigest: try reader.readDigest("body digest"),
      encapsulation: try reader.read(fields.suite.encapsulationLength, "encapsulation"),
      signature: try reader.read(signatureLength, "signature"))
  }

  /// The encoded header.
  package var bytes: [UInt8] { fields.bytes + bodyDigest.bytes + encapsulation + signature }

  /// The digest by which the next header refers to this one.
  package var digest: ContentDigest { ContentDigest(of: bytes) }

  /// The fields that are fixed before sealing, as they are authenticated with the body.
  package var associatedData: [UInt8] { fields.bytes }

  /// Returns whether the header is signed by `author`, and names it.
  package func isSigned(by author: StationIdentity) -> Bool {
    author.id == station
      && author.isSigned(Self.purpose + fields.bytes + bodyDigest.bytes + encapsulation, signature)
  }

  /// Returns whether `body` is the body of the header.
  package func matches(_ body: [UInt8]) -> Bool {
    body.count == bodyLength && ContentDigest(of: body) == bodyDigest
  }

  private var fields: Fields {
    Fields(
      suite: suite, space: space, station: station, epoch: epoch, sequence: sequence, previous: previous,
      bodyLength: bodyLength)
  }

  /// The fields that are fixed before sealing.
  struct Fields {
    let suite: SyncSuite
    let space: SpaceID
    let station: StationID
    let epoch: UInt32
    let sequence: UInt64
    let previous: ContentDigest
    let bodyLength: Int

    var bytes: [UInt8] {
      var writer = ByteWriter()
      writer.write(EnvelopeHeader.magic)
      writer.write(byte: EnvelopeHeader.version)
      writer.write(byte: suite.rawValue)
      writer.write(space.digest)
      writer.write(station.digest)
      writer.write(integer: epoch)
      writer.write(integer: sequence)
      writer.write(previous)
      writer.write(integer: UInt32(truncatingIfNeeded: bodyLength))
      return writer.bytes
    }

    static func read(_ reader: inout ByteReader) throws(FormatFailure) -> Fields {
      let start = reader.failure("magic", .invalidValue)
      guard try reader.read(magic.count, "magic") == magic else { throw start }
      let versionFailure = reader.failure("version", .unknownVersion(0))
      let found = try reader.readByte("version")
      guard found == version else {
        throw FormatFailure(field: "version", offset: versionFailure.offset, reason: .unknownVersion(found))
      }
      let suiteFailure = reader.failure("suite", .invalidValue)
      guard let suite = SyncSuite(rawValue: try reader.readByte("suite")) else { throw suiteFailure }
      let space = SpaceID(digest: try reader.readDigest("space"))
      let station = StationID(digest: try reader.readDigest("station"))
      let epoch = try reader.readInteger(UInt32.self, "epoch")
      let sequenceFailure = reader.failure("sequence", .invalidValue)
      let sequence = try reader.readInteger(UInt64.self, "sequence")
      // A log never becomes so long that adding 1 overflows.
      guard sequence > 0, sequence < UInt64(Int64.max) else { throw sequenceFailure }
      let previousFailure = reader.failure("previous", .invalidValue)
      let previous = try reader.readDigest("previous")
      guard (previous == .zero) == (sequence == 1) else { throw previousFailure }
      let lengthFailure = reader.failure("body length", .tooLarge(limit: longestBody))
      let length = Int(try reader.readInteger(UInt32.self, "body length"))
      guard length <= longestBody else { throw lengthFailure }
      return Fields(
        suite: suite, space: space, station: station, epoch: epoch, sequence: sequence, previous: previous,
        bodyLength: length)
    }
  }
}
