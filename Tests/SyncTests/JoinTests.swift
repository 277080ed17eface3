import Crypto
import Foundation
import TachogramCore
import Testing

@testable import Sync

@Suite("Invitations and joining")
struct JoinTests {
  private let inviter: StationKeys
  private let joiner: StationKeys
  private let space: SpaceID
  private let first: MemberRecord
  private let start = MonotonicTime(microseconds: 5_000_000)

  init() throws {
    inviter = try StationKeys()
    joiner = try StationKeys()
    (space, first) = try MembershipChanges.found(by: inviter, recovery: try RecoveryKey().keys().identity)
  }

  private func request(_ invitation: Invitation, role: MemberRole = .reader, name: String = "gym") throws -> [UInt8] {
    try JoinRequest.seal(role: role, name: name, by: joiner, to: inviter.identity, invitation)
  }

  @Test func testInvitation_TextRoundTripsAndNoticesErrors() throws {
    let invitation = Invitation(to: space, inviter: inviter.id)
    #expect(Invitation(text: invitation.text) == invitation)
    #expect(
      Invitation(text: " " + invitation.text.uppercased().replacingOccurrences(of: "-", with: " \n")) == invitation)
    let letters = Array(invitation.text)
    var accepted = 0
    for place in letters.indices where letters[place] != "-" {
      var wrong = letters
      wrong[place] = letters[place] == "0" ? "2" : "0"
      if Invitation(text: String(wrong)) != nil { accepted += 1 }
    }
    #expect(accepted == 0)
    #expect(Invitation(text: String(letters.dropLast())) == nil && Invitation(text: "") == nil)
  }

  @Test(arguments: [MemberRole.reader, .sensor])
  func testJoin_ReceivesMembersKeysAndHeads(role: MemberRole) throws {
    var offer = InvitationOffer(to: space, by: inviter.id, at: start)
    let invitation = try #require(Invitation(text: offer.invitation.text))
    let request = try request(invitation, role: role)
    let opened = try offer.open(request, keys: inviter, at: start.advanced(by: .seconds(599)))
    #expect(opened.identity == joiner.identity && opened.role == role && opened.name == "gym")
    let membership = try Membership(space: space, records: [first])
    let added = try MembershipChanges(membership, by: inviter).add(opened.identity, role: opened.role)
    let head = LogHead(station: inviter.id, sequence: 7, digest: ContentDigest(of: [7]))
    let reply = try JoinReply.seal(
      space: space, records: [first, added], heads: [head], by: inviter, to: opened.identity, offer.invitation)
    let joined = try JoinReply(sealed: reply, role: role, keys: joiner, from: inviter.identity, invitation)
    #expect(joined.membership.space == space && joined.heads == [head] && joined.records == [first, added])
    #expect(try joined.membership.epochKeys(of: joiner).map(\.epoch) == (role == .reader ? [1] : []))
  }

  @Test func testInvitation_IsValidOnceForTenMinutes() throws {
    var offer = InvitationOffer(to: space, by: inviter.id, at: start)
    let request = try request(offer.invitation)
    #expect(throws: JoinFailure.expired) {
      try offer.open(request, keys: inviter, at: start.advanced(by: .seconds(600)))
    }
    _ = try offer.open(request, keys: inviter, at: start)
    #expect(throws: JoinFailure.expired) { try offer.open(request, keys: inviter, at: start) }
  }

  @Test func testRequest_WithOtherSecretOrKeys_IsRefused_AndDoesNotUseIt() throws {
    var offer = InvitationOffer(to: space, by: inviter.id, at: start)
    let other = try request(Invitation(to: space, inviter: inviter.id))
    #expect(throws: JoinFailure.notInvited) { try offer.open(other, keys: inviter, at: start) }
    // A stranger in between replaces the identity by its own.
    let (stranger, valid) = (try StationKeys(), try request(offer.invitation))
    let replaced = Array(valid[..<5]) + Array(stranger.identity.bytes) + Array(valid[133...])
    #expect(throws: JoinFailure.notInvited) { try offer.open(replaced, keys: inviter, at: start) }
    #expect(throws: JoinFailure.otherInviter) {
      try JoinRequest.seal(role: .reader, name: "", by: joiner, to: stranger.identity, offer.invitation)
    }
    _ = try offer.open(valid, keys: inviter, at: start)
  }

  @Test func testRequest_OpensWithCryptoLibrary() throws {
    let invitation = Invitation(to: space, inviter: inviter.id)
    let bytes = try request(invitation)
    var recipient = try HPKE.Recipient(
      privateKey: inviter.agreement, ciphersuite: .Curve25519_SHA256_ChachaPoly,
      info: Data("tachogram sync 1 join request".utf8), encapsulatedKey: Data(bytes[133..<165]),
      authenticatedBy: Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes[37..<69]),
      presharedKey: SymmetricKey(data: invitation.secret),
      presharedKeyIdentifier: Data(
        Array("tachogram sync 1 invitation".utf8) + SHA256.hash(data: inviter.identity.signingKey)))
    #expect(try Array(recipient.open(bytes[165...], authenticating: bytes[5..<133])) == [1, 3] + Array("gym".utf8))
  }

  @Test func testReply_WithoutMembership_IsRefused() throws {
    let invitation = Invitation(to: space, inviter: inviter.id)
    let reply = try JoinReply.seal(
      space: space, records: [first], heads: [], by: inviter, to: joiner.identity, invitation)
    #expect(throws: JoinFailure.notAdded) {
      try JoinReply(sealed: reply, role: .reader, keys: joiner, from: inviter.identity, invitation)
    }
    let membership = try Membership(space: space, records: [first])
    let sensor = try MembershipChanges(membership, by: inviter).add(joiner.identity, role: .sensor)
    let asSensor = try JoinReply.seal(
      space: space, records: [first, sensor], heads: [], by: inviter, to: joiner.identity, invitation)
    #expect(throws: JoinFailure.notAdded) {
      try JoinReply(sealed: asSensor, role: .reader, keys: joiner, from: inviter.identity, invitation)
    }
  }

  @Test func testMessages_RandomMutations_NeverTrap() throws {
    var random = TestRandom(seed: 9)
    let invitation = Invitation(to: space, inviter: inviter.id)
    let request = try request(invitation)
    let reply = try JoinReply.seal(
      space: space, records: [first], heads: [], by: inviter, to: joiner.identity, invitation)
    for _ in 0..<3000 {
      let (one, other) = (random.mutated(request), random.mutated(reply))
      if one != request {
        #expect(throws: JoinFailure.self) { try JoinRequest(sealed: one, invitation: invitation, keys: inviter) }
      }
      #expect(throws: JoinFailure.self) {
        try JoinReply(sealed: other, role: .reader, keys: joiner, from: inviter.identity, invitation)
      }
    }
  }

  @Test func testBase32_RoundTripAndStrict() {
    var random = TestRandom(seed: 10)
    for count in 0..<60 {
      let bytes = random.bytes(count)
      #expect(Base32.bytes(Base32.text(bytes)) == bytes)
    }
    // RFC 4648 test vector "foobar" in Crockford's digits.
    #expect(Base32.text(Array("foobar".utf8)) == "csqpyrk1e8")
    #expect(Base32.bytes("CSQPYRKLE8") == Array("foobar".utf8))
    #expect(Base32.bytes("u0") == nil && Base32.bytes("01") == nil && Base32.bytes("0") == nil)
  }
}
