import Crypto
import FoundationEssentials

/// Seals the chunks of one station, and opens chunks. Each chunk has its own HPKE encapsulation: sequence numbers can rewind
/// after a backup is restored, so no nonce derives from them.
package enum EnvelopeSealer {
  static let purpose = Array("tachogram sync 1 body".utf8)

  /// The position of a chunk in its log.
  package struct Place: Hashable, Sendable {
    package let space: SpaceID
    /// Counted from 1.
    package let sequence: UInt64
    /// The digest of the previous header, or `ContentDigest.zero`.
    package let previous: ContentDigest

    package init(space: SpaceID, sequence: UInt64, previous: ContentDigest) {
      self.space = space
      self.sequence = sequence
      self.previous = previous
    }
  }

  /// Returns content sealed to the key of an epoch and signed by its author.
  package static func seal(
    _ content: [UInt8], at place: Place, to key: EpochPublicKey, by keys: StationKeys, padding: PaddingRule = .padme
  ) throws(EnvelopeFailure) -> Envelope {
    try seal(content, at: place, epoch: key.epoch, recipient: key.key, by: keys, padding)
  }

  /// Returns content sealed to the own key of one member, as for a sensor, which cannot open chunks of an epoch.
  package static func seal(
    _ content: [UInt8], at place: Place, to member: StationIdentity, by keys: StationKeys, padding: PaddingRule = .padme
  ) throws(EnvelopeFailure) -> Envelope {
    try seal(
      content, at: place, epoch: EnvelopeHeader.memberEpoch, recipient: member.agreementKey, by: keys,
      padding)
  }

  private static func seal(
    _ content: [UInt8], at place: Place, epoch: UInt32, recipient: [UInt8], by keys: StationKeys,
    _ padding: PaddingRule
  ) throws(EnvelopeFailure) -> Envelope {
    let suite = SyncSuite.x25519ChaChaPoly
    let limit = EnvelopeHeader.longestBody - suite.tagLength - Padding.prefixLength
    guard content.count <= limit else { throw .tooLarge(limit: limit) }
    let room = EnvelopeHeader.longestBody - suite.tagLength
    let fits = padding.length(content.count + Padding.prefixLength) <= room
    let padded = Padding.added(to: content, fits ? padding : .padme)
    guard padded.count + suite.tagLength <= EnvelopeHeader.longestBody else { throw .tooLarge(limit: limit) }
    let fields = EnvelopeHeader.Fields(
      suite: suite, space: place.space, station: keys.id, epoch: epoch, sequence: place.sequence,
      previous: place.previous, bodyLength: padded.count + suite.tagLength)
    guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: recipient),
      var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: SyncSuite.hpke, info: Data(purpose)),
      let body = try? Array(sender.seal(padded, authenticating: fields.bytes))
    else { throw .cannotSeal }
    do throws(KeyFailure) {
      let header = try EnvelopeHeader(
        associated: fields, bodyDigest: ContentDigest(of: body), encapsulation: Array(sender.encapsulatedKey),
        keys: keys)
      return Envelope(header: header, body: body)
    } catch {
      throw .key(error)
    }
  }

  /// Returns the content of an envelope of `author` that is sealed to the key of an epoch.
  package static func open(
    _ envelope: Envelope, from author: StationIdentity, with key: EpochKey
  ) throws(EnvelopeFailure) -> [UInt8] {
    guard envelope.header.epoch == key.epoch else {
      throw .wrongEpoch(expected: envelope.header.epoch, key: key.epoch)
    }
    return try open(envelope, from: author, key.agreement)
  }

  /// Returns the content of an envelope of `author` that is sealed to the own key of this member.
  package static func open(
    _ envelope: Envelope, from author: StationIdentity, with keys: StationKeys
  ) throws(EnvelopeFailure) -> [UInt8] {
    guard envelope.header.epoch == EnvelopeHeader.memberEpoch else {
      throw .wrongEpoch(expected: envelope.header.epoch, key: EnvelopeHeader.memberEpoch)
    }
    return try open(envelope, from: author, keys.agreement)
  }

  private static func open(
    _ envelope: Envelope, from author: StationIdentity, _ key: Curve25519.KeyAgreement.PrivateKey
  ) throws(EnvelopeFailure) -> [UInt8] {
    let header = envelope.header
    guard header.isSigned(by: author) else { throw .wrongSignature }
    guard let body = envelope.body else { throw .noBody }
    guard header.matches(body) else { throw .wrongBody }
    guard
      var recipient = try? HPKE.Recipient(
        privateKey: key, ciphersuite: SyncSuite.hpke, info: Data(purpose),
        encapsulatedKey: Data(header.encapsulation)),
      let padded = try? recipient.open(body, authenticating: header.associatedData)
    else { throw .cannotOpen }
    guard let content = Padding.removed(from: Array(padded)) else { throw .wrongPadding }
    return content
  }
}
