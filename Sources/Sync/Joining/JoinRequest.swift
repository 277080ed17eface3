/// The request of a station to join a space.
///
/// Layout: `TGSJ`, version (1 byte), identity of the station (128), HPKE encapsulation (32), sealed role (1 byte) and name.
package struct JoinRequest: Hashable, Sendable {
  /// The maximum length of a name, in bytes.
  package static let longestName = 400
  private static let start = Array("TGSJ".utf8) + [1]
  private static let purpose = "tachogram sync 1 join request"

  package let identity: StationIdentity
  package let role: MemberRole
  /// The name that the station proposes. It may be any text, and is validated before it is used.
  package let name: String

  /// Returns a request to the station that invited. `inviter` is what claims to be that station.
  package static func seal(
    role: MemberRole, name: String, by keys: StationKeys, to inviter: StationIdentity, _ invitation: Invitation
  ) throws(JoinFailure) -> [UInt8] {
    guard inviter.id == invitation.inviter else { throw .otherInviter }
    var writer = ByteWriter()
    writer.write(byte: role.rawValue)
    writer.write(text: name)
    return start + keys.identity.bytes
      + (try JoinSeal.seal(writer.bytes, purpose: purpose, to: inviter, by: keys, invitation))
  }

  init(sealed bytes: [UInt8], invitation: Invitation, keys: StationKeys) throws(JoinFailure) {
    let length = Self.start.count + StationIdentity.byteCount
    guard bytes.count > length, bytes.starts(with: Self.start), invitation.inviter == keys.id,
      let identity = try? StationIdentity(bytes: Array(bytes[Self.start.count..<length]))
    else { throw .notInvited }
    let content = try JoinSeal.open(
      Array(bytes[length...]), purpose: Self.purpose, from: identity, with: keys, invitation)
    var reader = ByteReader(content)
    do throws(FormatFailure) {
      let start = reader.failure("role", .invalidValue)
      guard let role = MemberRole(rawValue: try reader.readByte("role")), role != .recovery else { throw start }
      self.role = role
      name = try reader.readText("name", limit: Self.longestName)
      try reader.finish("request")
    } catch {
      throw .format(error)
    }
    self.identity = identity
  }
}
