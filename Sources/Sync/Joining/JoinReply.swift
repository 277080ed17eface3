/// The answer to a station that joins: the member records of the space, which then include it, and the last chunks of all logs.
///
/// Layout: `TGSR`, version (1 byte), HPKE encapsulation (32), sealed space (32), heads and records.
package struct JoinReply: Sendable {
  private static let start = Array("TGSR".utf8) + [1]
  private static let purpose = "tachogram sync 1 join reply"
  private static let mostHeads = 4096

  package let membership: Membership
  package let records: [MemberRecord]
  /// The last chunks that the inviter has seen. The new member pins them, so that a store cannot withhold chunks from it.
  package let heads: [LogHead]

  /// Returns a reply to a station that `records` already include.
  package static func seal(
    space: SpaceID, records: [MemberRecord], heads: [LogHead], by keys: StationKeys, to station: StationIdentity,
    _ invitation: Invitation
  ) throws(JoinFailure) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(space.digest)
    writer.write(count: min(heads.count, mostHeads))
    for head in heads.prefix(mostHeads) {
      writer.write(head.station.digest)
      writer.write(varint: head.sequence)
      writer.write(head.digest)
    }
    writer.write(count: records.count)
    for record in records { writer.write(counted: record.bytes) }
    return start + (try JoinSeal.seal(writer.bytes, purpose: purpose, to: station, by: keys, invitation))
  }

  /// Opens a reply and checks that the station is now a member, and that the inviter is a reader.
  package init(
    sealed bytes: [UInt8], role: MemberRole, keys: StationKeys, from inviter: StationIdentity, _ invitation: Invitation
  ) throws(JoinFailure) {
    guard inviter.id == invitation.inviter else { throw .otherInviter }
    guard bytes.starts(with: Self.start) else { throw .notInvited }
    let content = try JoinSeal.open(
      Array(bytes.dropFirst(Self.start.count)), purpose: Self.purpose, from: inviter, with: keys, invitation)
    let (space, heads, records): (SpaceID, [LogHead], [MemberRecord])
    do throws(FormatFailure) {
      (space, heads, records) = try Self.decode(content)
    } catch {
      throw .format(error)
    }
    do throws(MembershipFailure) {
      membership = try Membership(space: space, records: records)
    } catch {
      throw .membership(error)
    }
    guard membership.members[keys.id]?.role == role else { throw .notAdded }
    guard membership.members[inviter.id]?.role.canRead ?? false else { throw .inviterNotReader }
    self.records = records
    self.heads = heads
  }

  private static func decode(
    _ content: [UInt8]
  ) throws(FormatFailure) -> (SpaceID, [LogHead], [MemberRecord]) {
    var reader = ByteReader(content)
    let space = SpaceID(digest: try reader.readDigest("space"))
    var heads: [LogHead] = []
    for _ in 0..<(try reader.readCount("heads", limit: mostHeads)) {
      let station = StationID(digest: try reader.readDigest("head station"))
      let sequence = try reader.readVarint("head sequence")
      heads.append(LogHead(station: station, sequence: sequence, digest: try reader.readDigest("head digest")))
    }
    var records: [MemberRecord] = []
    for _ in 0..<(try reader.readCount("records", limit: Membership.mostRecords)) {
      records.append(try MemberRecord(bytes: try reader.readBytes("record", limit: MemberRecord.longest)))
    }
    try reader.finish("reply")
    return (space, heads, records)
  }
}
