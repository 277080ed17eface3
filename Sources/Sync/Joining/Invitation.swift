import Crypto
import TachogramCore

/// A one-time secret that lets one station join a space, with the identifiers of the space and of the station that invites.
///
/// Layout of the text: Base32 in groups of six of version (1 byte), space (32), identifier of the inviter (32), secret (32), and
/// the first 2 bytes of the SHA-256 digest of those.
package struct Invitation: Hashable, Sendable {
  private static let version: UInt8 = 1
  private static let secretLength = 32
  private static let checkLength = 2

  package let space: SpaceID
  /// The station that invites.
  package let inviter: StationID
  /// The 32 random bytes, the pre-shared key of HPKE.
  let secret: [UInt8]

  /// Creates an invitation with a random secret.
  package init(to space: SpaceID, inviter: StationID) {
    self.space = space
    self.inviter = inviter
    var random = SystemRandomNumberGenerator()
    secret = (0..<Self.secretLength).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Decodes the text of an invitation. Blanks and dashes are ignored. Returns `nil` for any other text.
  package init?(text: some StringProtocol) {
    let letters = String(text.filter { $0 != "-" && !$0.isWhitespace })
    guard let bytes = Base32.bytes(letters), bytes.count == 1 + 64 + Self.secretLength + Self.checkLength,
      bytes[0] == Self.version, let space = ContentDigest(bytes: Array(bytes[1..<33])),
      let digest = ContentDigest(bytes: Array(bytes[33..<65])),
      bytes.suffix(Self.checkLength).elementsEqual(Self.check(bytes.dropLast(Self.checkLength)))
    else { return nil }
    self.space = SpaceID(digest: space)
    inviter = StationID(digest: digest)
    secret = Array(bytes[65..<97])
  }

  /// The text, which is also that of the QR code.
  package var text: String {
    let bytes = [Self.version] + space.digest.bytes + inviter.digest.bytes + secret
    let letters = Array(Base32.text(bytes + Self.check(bytes[...])))
    return stride(from: 0, to: letters.count, by: 6).map { String(letters[$0..<min($0 + 6, letters.count)]) }
      .joined(separator: "-")
  }

  /// The pre-shared key and its identifier, which does not reveal it.
  var psk: (key: SymmetricKey, id: [UInt8]) {
    (SymmetricKey(data: secret), Array("tachogram sync 1 invitation".utf8) + inviter.digest.bytes)
  }

  private static func check(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array(ContentDigest(of: Array(bytes)).bytes.prefix(checkLength))
  }
}
