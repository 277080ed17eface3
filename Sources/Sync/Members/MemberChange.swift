/// A change of the membership of a space.
package enum MemberChange: Hashable, Sendable {
  /// The space is founded by its first reader, with a recovery member.
  case found(founder: StationIdentity, recovery: StationIdentity, epoch: EpochAnnouncement)
  /// A member is added. A reader receives the private keys of all epochs.
  case add(Member, keys: SealedEpochKeys?)
  /// A member is removed. Its chunks after `lastSequence` are not valid.
  case remove(StationID, lastSequence: UInt64)
  /// A new epoch begins.
  case epoch(EpochAnnouncement)
  /// All data of earlier epochs is deleted.
  case reset(generation: UInt32, epoch: EpochAnnouncement)

  /// The epoch that begins, or `nil` if none does.
  package var announcement: EpochAnnouncement? {
    switch self {
    case .found(_, _, let epoch), .epoch(let epoch), .reset(_, let epoch): epoch
    case .add, .remove: nil
    }
  }

  /// The members that are added.
  package var added: [Member] {
    switch self {
    case .found(let founder, let recovery, _):
      [Member(identity: recovery, role: .recovery), Member(identity: founder, role: .reader)]
    case .add(let member, _): [member]
    case .remove, .epoch, .reset: []
    }
  }

  // MARK: - Encoding

  func write(to writer: inout ByteWriter) {
    switch self {
    case .found(let founder, let recovery, let epoch):
      writer.write(byte: 1)
      writer.write(founder.bytes)
      writer.write(recovery.bytes)
      epoch.write(to: &writer)
    case .add(let member, let keys):
      writer.write(byte: 2)
      writer.write(member.identity.bytes)
      writer.write(byte: member.role.rawValue)
      writer.write(flag: keys != nil)
      keys?.write(to: &writer)
    case .remove(let id, let lastSequence):
      writer.write(byte: 3)
      writer.write(id.digest)
      writer.write(varint: lastSequence)
    case .epoch(let epoch):
      writer.write(byte: 4)
      epoch.write(to: &writer)
    case .reset(let generation, let epoch):
      writer.write(byte: 5)
      writer.write(integer: generation)
      epoch.write(to: &writer)
    }
  }

  init(from reader: inout ByteReader) throws(FormatFailure) {
    let start = reader.failure("change", .invalidValue)
    switch try reader.readByte("change") {
    case 1:
      self = .found(
        founder: try Self.identity(&reader, "founder"), recovery: try Self.identity(&reader, "recovery"),
        epoch: try EpochAnnouncement(from: &reader))
    case 2:
      let identity = try Self.identity(&reader, "member")
      let start = reader.failure("role", .invalidValue)
      guard let role = MemberRole(rawValue: try reader.readByte("role")), role != .recovery else { throw start }
      let keys = try reader.readFlag("keys") ? try SealedEpochKeys(from: &reader) : nil
      guard (keys?.recipient == identity.id) == role.canRead else { throw start }
      self = .add(Member(identity: identity, role: role), keys: keys)
    case 3:
      let id = StationID(digest: try reader.readDigest("member"))
      self = .remove(id, lastSequence: try reader.readVarint("last sequence"))
    case 4: self = .epoch(try EpochAnnouncement(from: &reader))
    case 5:
      let generation = try reader.readInteger(UInt32.self, "generation")
      self = .reset(generation: generation, epoch: try EpochAnnouncement(from: &reader))
    default: throw start
    }
  }

  private static func identity(
    _ reader: inout ByteReader, _ field: String
  ) throws(FormatFailure) -> StationIdentity {
    let start = reader.failure(field, .invalidValue)
    guard let identity = try? StationIdentity(bytes: try reader.read(StationIdentity.byteCount, field)) else {
      throw start
    }
    return identity
  }
}
