import Crypto
import Foundation
import Testing

@testable import Sync

@Suite("Envelopes")
struct EnvelopeTests {
  private let keys: StationKeys
  private let epoch = EpochKey(epoch: 3)
  private let space = SpaceID(digest: ContentDigest(of: [1]))

  init() throws {
    keys = try StationKeys()
  }

  private func sealed(_ content: [UInt8], sequence: UInt64 = 1) throws -> Envelope {
    let previous = sequence == 1 ? ContentDigest.zero : ContentDigest(of: [2])
    return try EnvelopeSealer.seal(
      content, at: .init(space: space, sequence: sequence, previous: previous), to: epoch.publicKey, by: keys)
  }

  @Test func testEnvelope_RoundTrip() throws {
    for count in [0, 1, 100, 12_345] {
      let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let envelope = try sealed(content)
      #expect(envelope.header.bytes.count == EnvelopeHeader.byteCount)
      let parsed = try Envelope(bytes: envelope.bytes)
      #expect(parsed == envelope)
      #expect(try EnvelopeSealer.open(parsed, from: keys.identity, with: epoch) == content)
    }
  }

  @Test func testEnvelope_OpensWithCryptoLibraryFromItsOffsets() throws {
    let content = Array("some ledger".utf8)
    let bytes = try sealed(content, sequence: 9).bytes
    // The offsets of the documented layout.
    #expect(Array(bytes[..<6]) == Array("TGSC".utf8) + [1, 1])
    #expect(Array(bytes[70..<82]) == [0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 9])
    let (associated, body) = (bytes[..<118], bytes[246...])
    #expect(Array(bytes[118..<150]) == Array(SHA256.hash(data: body)))
    #expect(Array(bytes[38..<70]) == Array(SHA256.hash(data: keys.identity.signingKey)))
    let signing = try Curve25519.Signing.PublicKey(rawRepresentation: keys.identity.signingKey)
    #expect(signing.isValidSignature(bytes[182..<246], for: Array("tachogram sync 1 chunk\0".utf8) + bytes[..<182]))
    let agreement = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: epoch.privateKey)
    var recipient = try HPKE.Recipient(
      privateKey: agreement, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data("tachogram sync 1 body".utf8),
      encapsulatedKey: Data(bytes[150..<182]))
    let padded = try recipient.open(body, authenticating: associated)
    #expect(Array(padded) == [0, 0, 0, 11] + content + [0])
  }

  @Test func testEnvelope_EveryChangedBit_IsRefused() throws {
    let envelope = try sealed(Array("x".utf8), sequence: 2)
    let bytes = envelope.bytes
    for place in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << bit
        guard let parsed = try? Envelope(bytes: changed) else { continue }
        #expect(throws: EnvelopeFailure.self) {
          try EnvelopeSealer.open(parsed, from: keys.identity, with: epoch)
        }
      }
    }
  }

  @Test func testEnvelope_ForOtherKeys_IsRefused() throws {
    let envelope = try sealed([1, 2, 3])
    let other = try StationKeys()
    #expect(throws: EnvelopeFailure.wrongSignature) {
      try EnvelopeSealer.open(envelope, from: other.identity, with: epoch)
    }
    #expect(throws: EnvelopeFailure.cannotOpen) {
      try EnvelopeSealer.open(envelope, from: keys.identity, with: EpochKey(epoch: 3))
    }
    #expect(throws: EnvelopeFailure.wrongEpoch(expected: 3, key: 4)) {
      try EnvelopeSealer.open(envelope, from: keys.identity, with: EpochKey(epoch: 4))
    }
    #expect(throws: EnvelopeFailure.noBody) {
      try EnvelopeSealer.open(envelope.withoutBody, from: keys.identity, with: epoch)
    }
    let swapped = Envelope(header: envelope.header, body: try sealed([1, 2, 4]).body)
    #expect(throws: EnvelopeFailure.wrongBody) {
      try EnvelopeSealer.open(swapped, from: keys.identity, with: epoch)
    }
  }

  @Test func testEnvelope_ToOneMember_OpensOnlyForIt() throws {
    let (sensor, other) = (try StationKeys(), try StationKeys())
    let envelope = try EnvelopeSealer.seal(
      [7], at: .init(space: space, sequence: 1, previous: .zero), to: sensor.identity, by: keys)
    #expect(try EnvelopeSealer.open(envelope, from: keys.identity, with: sensor) == [7])
    #expect(throws: EnvelopeFailure.cannotOpen) {
      try EnvelopeSealer.open(envelope, from: keys.identity, with: other)
    }
  }

  @Test func testHeader_WithoutBody_HasTheSameDigestAndSignature() throws {
    let envelope = try sealed([1])
    let parsed = try Envelope(bytes: envelope.withoutBody.bytes)
    #expect(parsed.body == nil)
    #expect(parsed.header.digest == envelope.header.digest)
    #expect(parsed.header.isSigned(by: keys.identity))
  }

  @Test(arguments: [
    (0, "magic", FormatFailure.Reason.invalidValue), (4, "version", .unknownVersion(0xFE)),
    (5, "suite", .invalidValue), (74, "sequence", .invalidValue), (114, "body length", .tooLarge(limit: 1 << 20)),
  ])
  func testHeader_WithInvalidField_NamesFieldAndOffset(offset: Int, field: String, reason: FormatFailure.Reason) throws
  {
    var bytes = try sealed([1]).bytes
    bytes[offset] ^= 0xFF
    #expect(throws: FormatFailure(field: field, offset: offset, reason: reason)) { try Envelope(bytes: bytes) }
  }

  @Test func testEnvelope_OfEveryShorterLength_IsRefused() throws {
    let bytes = try sealed([1, 2]).bytes
    for count in bytes.indices where count != EnvelopeHeader.byteCount {
      #expect(throws: FormatFailure.self) { try Envelope(bytes: Array(bytes[..<count])) }
    }
    #expect(throws: FormatFailure(field: "body", offset: bytes.count, reason: .trailingBytes(1))) {
      try Envelope(bytes: bytes + [0])
    }
  }

  @Test func testEnvelope_RandomMutations_NeverTrapAndNeverOpenAsOther() throws {
    var random = TestRandom(seed: 11)
    let content = random.bytes(200)
    let bytes = try sealed(content).bytes
    for _ in 0..<20_000 {
      guard let parsed = try? Envelope(bytes: random.mutated(bytes)) else { continue }
      if let opened = try? EnvelopeSealer.open(parsed, from: keys.identity, with: epoch) { #expect(opened == content) }
    }
    for count in 0..<2000 { _ = try? Envelope(bytes: random.bytes(count % 400)) }
  }

  @Test func testSeal_OfTooMuch_IsRefused() throws {
    let limit = EnvelopeHeader.longestBody - 20
    #expect(throws: EnvelopeFailure.tooLarge(limit: limit)) { try sealed([UInt8](repeating: 0, count: limit + 1)) }
  }

  // MARK: - Padding

  @Test func testPadding_IsThatOfThePaper() {
    for length in 1...70_000 {
      // Floating-point arithmetic as in the paper, instead of counting bits.
      let exponent = length == 1 ? 0 : Int(log2(Double(length)))
      let kept = exponent == 0 ? 0 : Int(log2(Double(exponent))) + 1
      let unit = Int(pow(2.0, Double(max(0, exponent - kept))))
      let expected = (length + unit - 1) / unit * unit
      #expect(Padding.length(length) == expected)
      #expect(Double(expected) <= Double(length) * 1.12)
    }
  }

  @Test func testPadding_RoundTripAndStrict() {
    for count in 0..<1500 {
      let content = [UInt8](repeating: 1, count: count)
      let padded = Padding.added(to: content)
      #expect(Padding.removed(from: padded) == content)
      #expect(Padding.removed(from: padded + [0]) == nil || Padding.length(padded.count + 1) == padded.count)
      if padded.last == 0 { #expect(Padding.removed(from: padded.dropLast() + [1]) == nil) }
    }
    #expect(Padding.removed(from: []) == nil)
    #expect(Padding.removed(from: [0xFF, 0xFF, 0xFF, 0xFF, 0]) == nil)
  }
}
