import COpenSSL
import NIOCore
import NIOEmbedded
import TachogramTestKit
import Testing

@testable import TLS

struct TLSHandlerTests {
  private let made: MadeCertificate
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    made = try await MadeCertificate(in: folder)
  }

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  // MARK: - What is carried

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION], [1, 7, 1400, Int.max])
  func testBytes_ComeThroughBothWays(version: Int32, piece: Int) throws {
    // Given
    let pair = try TLSPair(made, version: version)
    try pair.carry(piece: piece)
    try #require(pair.client.isOpen)
    #expect(pair.client.version == (version == TLS1_3_VERSION ? "TLSv1.3" : "TLSv1.2"))
    // When
    let (question, answer) = (Self.bytes(50_000), Self.bytes(70_001))
    try pair.client.write(question)
    let written = pair.channel.writeAndFlush(ByteBuffer(bytes: answer))
    try pair.carry(piece: piece)
    // Then
    try written.wait()
    #expect(pair.received == question)
    #expect(pair.client.received == answer)
    #expect(!pair.client.isBroken)
  }

  @Test func testWhatIsWrittenTooEarly_WaitsForTheHandshake() throws {
    let pair = try TLSPair(made)
    let written = pair.channel.writeAndFlush(ByteBuffer(string: "early"))
    #expect(try pair.output().isEmpty)
    try pair.carry()
    try written.wait()
    #expect(pair.client.received == Array("early".utf8))
  }

  @Test func testNothing_IsWrittenAsNothing() throws {
    let pair = try TLSPair(made)
    try pair.carry()
    try pair.channel.writeAndFlush(ByteBuffer()).wait()
    #expect(try pair.output().isEmpty)
    #expect(pair.channel.isActive)
  }

  // MARK: - Ends

  @Test func testServerThatCloses_SaysSo() throws {
    let pair = try TLSPair(made)
    try pair.carry()
    pair.channel.writeAndFlush(ByteBuffer(string: "last"), promise: nil)
    let closed = pair.channel.close()
    try pair.carry()
    try closed.wait()
    #expect(pair.client.received == Array("last".utf8))
    #expect(pair.client.isToldOfTheEnd)
    #expect(throws: (any Error).self) { try pair.channel.writeAndFlush(ByteBuffer(string: "late")).wait() }
  }

  @Test func testClientThatCloses_IsLetGo() throws {
    let pair = try TLSPair(made)
    try pair.carry()
    try pair.client.write(Array("last".utf8))
    pair.client.close()
    try pair.carry()
    #expect(pair.received == Array("last".utf8))
    #expect(!pair.channel.isActive)
    #expect(pair.client.isToldOfTheEnd)
  }

  @Test func testHandshakeThatIsNotFinished_IsEndedAfterTenSeconds() throws {
    let (stalled, finished) = (try TLSPair(made), try TLSPair(made))
    let early = stalled.channel.writeAndFlush(ByteBuffer(string: "early"))
    try finished.carry()
    for pair in [stalled, finished] { pair.channel.embeddedEventLoop.advanceTime(by: .seconds(9)) }
    #expect(stalled.channel.isActive)
    for pair in [stalled, finished] { pair.channel.embeddedEventLoop.advanceTime(by: .seconds(2)) }
    #expect(!stalled.channel.isActive)
    #expect(finished.channel.isActive)
    #expect(throws: ChannelError.ioOnClosedChannel) { try early.wait() }
  }

  // MARK: - Whoever breaks the rules

  @Test func testBrowserWithoutTLS_IsToldWhatToDo() throws {
    let pair = try TLSPair(made)
    try pair.channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: pi\r\n\r\n"))
    let answer = String(decoding: try pair.output(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(answer.hasSuffix("\r\n\r\nThis page is served with TLS: its address begins with https://\n"))
    #expect(!pair.channel.isActive)
  }

  @Test func testOldProtocols_AreRefused() throws {
    let pair = try TLSPair(made, version: TLS1_1_VERSION)
    try pair.carry()
    #expect(!pair.client.isOpen)
    #expect(!pair.channel.isActive)
  }

  @Test func testOtherIdentity_IsNotBelieved() async throws {
    let other = try await MadeCertificate("other", in: folder)
    let pair = try TLSPair(made, trusting: other)
    try pair.carry()
    #expect(!pair.client.isOpen)
    #expect(!pair.channel.isActive)
  }

  /// One bit of each part of what the client sends, in the handshake and behind it: nothing comes out that was not sent.
  @Test(arguments: 0..<40 as Range<Int>)
  func testChangedBit_EndsTheConnection(place: Int) throws {
    for isOpen in [false, true] {
      let pair = try TLSPair(made)
      if isOpen {
        try pair.carry()
        try pair.client.write(Self.bytes(300))
      }
      var isDone = false
      try pair.carry { bytes in
        // The first three bytes tell kind and version of a record, and are part of what is authenticated or refused.
        guard !isDone, bytes.count > 41 else { return }
        bytes[place * (bytes.count - 1) / 39] ^= 0x10
        isDone = true
      }
      #expect(isDone)
      #expect(pair.received.isEmpty)
      // A length that became larger has the server wait for more, which the timeout of the handshake or of idleness ends.
      if pair.channel.isActive { #expect(try pair.output().isEmpty) }
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func testGarbage_NeverTraps(seed: UInt64) throws {
    let pair = try TLSPair(made)
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...5000, using: &random)
    var garbage = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    // A handshake record of a plausible version and length.
    garbage.replaceSubrange(0..<min(5, count), with: [22, 3, 1, 0, 200].prefix(min(5, count)))
    try pair.channel.writeInbound(ByteBuffer(bytes: garbage))
    #expect(try pair.channel.readInbound(as: ByteBuffer.self) == nil)
    if count > 300 { #expect(!pair.channel.isActive) }
  }

  // MARK: - Renewal

  @Test func testRenewedIdentity_IsThatOfNewConnections() async throws {
    let other = try await MadeCertificate("other", in: folder)
    let current = CurrentIdentity(try TLSIdentity(certificate: made.certificate, key: made.key))
    let before = current.value
    current.value = try TLSIdentity(certificate: other.certificate, key: other.key)
    #expect(current.value !== before)
    let pair = try TLSPair(other)
    try pair.carry()
    #expect(pair.client.isOpen)
  }
}
