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

  @Test(arguments: [1, 7, 1400, Int.max])
  func testBytes_ComeThroughBothWays(piece: Int) throws {
    // Given
    let pair = try TLSPair(made)
    try pair.carry(piece: piece)
    try #require(pair.client.isOpen)
    #expect(pair.client.version == "TLSv1.3")
    // When
    let (question, answer) = (Self.bytes(50_000), Self.bytes(70_001))
    try pair.client.write(question)
    let written = [0..<1, 1..<300, 300..<70_001].map { pair.channel.write(ByteBuffer(bytes: answer[$0])) }
    pair.channel.flush()
    try pair.carry(piece: piece)
    // Then
    for write in written { try write.wait() }
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

  @Test(arguments: [TLS1_1_VERSION, TLS1_2_VERSION])
  func testOldProtocols_AreRefused(version: Int32) throws {
    let pair = try TLSPair(made, version: version)
    try pair.carry()
    #expect(!pair.client.isOpen)
    #expect(!pair.channel.isActive)
  }

  /// A first message that says that it has 16 KiB and more, and records that hide what it says.
  @Test(
    arguments: [
      [22, 3, 1, 0, 200, 1, 0, 0x40, 1], [22, 3, 1, 0, 200, 1, 1, 0, 0], [22, 3, 1, 0, 2, 1, 0, 22, 3],
    ] as [[UInt8]])
  func testLargeFirstMessage_IsRefusedBeforeThereIsRoomForIt(bytes: [UInt8]) throws {
    for size in [1, bytes.count] {
      let pair = try TLSPair(made)
      for byte in stride(from: 0, to: bytes.count, by: size) where pair.channel.isActive {
        try pair.channel.writeInbound(ByteBuffer(bytes: bytes[byte..<byte + size]))
      }
      #expect(!pair.channel.isActive)
    }
  }

  @Test func testPeerThatDoesNotRead_IsNotReadFrom() throws {
    let pair = try TLSPair(made)
    try pair.carry()
    let before = pair.reads.count
    pair.channel.isWritable = false
    pair.channel.read()
    pair.channel.read()
    #expect(pair.reads.count == before)
    pair.channel.isWritable = true
    pair.channel.pipeline.fireChannelWritabilityChanged()
    #expect(pair.reads.count == before + 1)
    pair.channel.read()
    #expect(pair.reads.count == before + 2)
    // Nor is it waited for without end.
    for seconds in [59, 59, 61] as [Int64] {
      #expect(pair.channel.isActive)
      pair.channel.isWritable = false
      pair.channel.pipeline.fireChannelWritabilityChanged()
      pair.channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
      guard pair.channel.isActive else { break }
      pair.channel.isWritable = true
      pair.channel.pipeline.fireChannelWritabilityChanged()
      pair.channel.embeddedEventLoop.advanceTime(by: .seconds(600))
    }
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
        guard !isDone, bytes.count > 41 else { return }
        bytes[place * (bytes.count - 1) / 39] ^= 0x10
        isDone = true
      }
      #expect(isDone)
      #expect(pair.received.isEmpty)
      // In the handshake both ends have other records of what was said, whatever it was.
      if isOpen { #expect(!pair.channel.isActive) } else { #expect(!pair.client.isOpen) }
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
    let before = try TLSPair(current.value, trusting: made.certificate)
    try before.carry()
    current.value = try TLSIdentity(certificate: other.certificate, key: other.key)
    let after = try TLSPair(current.value, trusting: other.certificate)
    try after.carry()
    #expect(after.client.isOpen)
    try before.client.write(Array("still here".utf8))
    try before.carry()
    #expect(before.received == Array("still here".utf8))
  }
}
