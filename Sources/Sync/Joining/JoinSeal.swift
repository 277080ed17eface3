import Crypto
import FoundationEssentials

/// HPKE in mode auth-PSK between a station that joins and the one that invites: only they know the secret of the invitation, and
/// each proves its X25519 key.
enum JoinSeal {
  /// Returns the encapsulation, which has 32 bytes, and the sealed content.
  static func seal(
    _ content: [UInt8], purpose: String, to recipient: StationIdentity, by keys: StationKeys, _ invitation: Invitation
  ) throws(JoinFailure) -> [UInt8] {
    let psk = invitation.psk
    guard let key = try? recipient.agreement(),
      var sender = try? HPKE.Sender(
        recipientKey: key, ciphersuite: SyncSuite.hpke, info: Data(purpose.utf8), authenticatedBy: keys.agreement,
        presharedKey: psk.key, presharedKeyIdentifier: Data(psk.id)),
      let sealed = try? sender.seal(content, authenticating: keys.identity.bytes)
    else { throw .notInvited }
    return Array(sender.encapsulatedKey) + Array(sealed)
  }

  /// Opens what `seal` returned.
  static func open(
    _ bytes: [UInt8], purpose: String, from sender: StationIdentity, with keys: StationKeys, _ invitation: Invitation
  ) throws(JoinFailure) -> [UInt8] {
    let psk = invitation.psk
    guard bytes.count > 32, let key = try? sender.agreement(),
      var recipient = try? HPKE.Recipient(
        privateKey: keys.agreement, ciphersuite: SyncSuite.hpke, info: Data(purpose.utf8),
        encapsulatedKey: Data(bytes[..<32]), authenticatedBy: key, presharedKey: psk.key,
        presharedKeyIdentifier: Data(psk.id)),
      let opened = try? recipient.open(bytes[32...], authenticating: sender.bytes)
    else { throw .notInvited }
    return Array(opened)
  }
}
