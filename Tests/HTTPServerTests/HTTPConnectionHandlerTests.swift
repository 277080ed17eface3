import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TLS
import TachogramTestKit
import Testing

@testable import HTTPServer

/// Connections as the server makes them, up to what answers; time is what the test says.
@Suite("HTTP connections")
struct HTTPConnectionHandlerTests {
  /// Counts what would be read from the network.
  private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Never
    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  private static let request = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

  private let loop = EmbeddedEventLoop()
  private let channel: EmbeddedChannel
  private let reads = Reads()
  private let connections = Connections(
    limits: ConnectionLimits(isSecure: false), time: ManualTimeSource(), report: { _ in })

  init() throws {
    channel = EmbeddedChannel(loop: loop)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(reads)
    try pipeline.addHandler(
      HTTPConnectionHandler(connections: connections, isSecure: false, time: ManualTimeSource()))
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
  }

  private func send(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
  }

  /// The path of the next request that was handed on.
  private func next() throws -> String? {
    try channel.readInbound(as: ReceivedRequest.self)?.head.path
  }

  private func answer(_ response: HTTPResponse = HTTPResponse(status: .noContent), _ body: [String] = []) throws {
    try channel.writeOutbound(HTTPResponsePart.head(response))
    for part in body { try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: part))) }
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    loop.run()
  }

  /// What was sent since it was last looked.
  private func sent() throws -> String {
    var text = ""
    while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
    return text
  }

  private func setWritable(_ isWritable: Bool) {
    channel.isWritable = isWritable
    channel.pipeline.fireChannelWritabilityChanged()
  }

  // MARK: - One after the other

  @Test func testRequestsThatAreAnswered_GoOn() throws {
    for _ in 0..<100 {
      try send(Self.request)
      #expect(try next() == "/a")
      try answer()
    }
    #expect(channel.isActive)
  }

  @Test(arguments: [1, 7, 64, 100_000])
  func testRequestsAtOnce_AreHandedOnOneByOne(piece: Int) throws {
    let text = (0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
    let bytes = ByteBuffer(string: text)
    for start in stride(from: 0, to: bytes.readableBytes, by: piece) {
      let length = min(piece, bytes.readableBytes - start)
      try channel.writeInbound(try #require(bytes.getSlice(at: start, length: length)))
    }
    for number in 0..<200 {
      #expect(try next() == "/\(number)")
      #expect(try next() == nil)
      try answer()
    }
    #expect(channel.isActive)
  }

  @Test func testClientThatSendsOn_IsNotReadUntilItIsAnswered() throws {
    try send(Self.request)
    channel.read()
    let before = reads.count
    try send(Self.request)
    channel.read()
    channel.read()
    #expect(reads.count == before)
    try answer()
    #expect(reads.count == before + 1)
    #expect(channel.isActive)
  }

  @Test func testRequestsBeforeTheClientsEnd_AreAllAnswered() throws {
    try send(Self.request + Self.request)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    for _ in 0..<2 {
      #expect(channel.isActive)
      #expect(try next() == "/a")
      try answer()
    }
    #expect(!channel.isActive)
  }

  @Test func testWhatFollowsTheLastRequest_IsNotHandedOn() throws {
    try send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + Self.request)
    #expect(try next() == "/a")
    try answer()
    #expect(try next() == nil)
    #expect(!channel.isActive)
    #expect(try sent() == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
  }

  // MARK: - Framing of answers

  @Test(arguments: [
    ("HTTP/1.1\r\nHost: x", "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", true),
    ("HTTP/1.0", "Connection: close\r\n\r\nabc", false),
    ("HTTP/1.0\r\nConnection: Keep-Alive", "Connection: close\r\n\r\nabc", false),
  ])
  func testAnswerWithoutALength_EndsAsTheClientCanTell(head: String, end: String, isOpen: Bool) throws {
    try send("GET / \(head)\r\n\r\n")
    try answer(HTTPResponse(status: .ok), ["ab", "", "c"])
    #expect(try sent() == "HTTP/1.1 200 OK\r\n" + end)
    #expect(channel.isActive == isOpen)
  }

  @Test(arguments: [
    ("HTTP/1.1\r\nHost: x", "", true), ("HTTP/1.0", "Connection: close\r\n", false),
    ("HTTP/1.0\r\nConnection: x, Keep-Alive", "Connection: keep-alive\r\n", true),
    ("HTTP/1.1\r\nHost: x\r\nConnection: x\r\nConnection: Close, y", "Connection: close\r\n", false),
  ])
  func testConnection_StaysAsTheClientSays(head: String, field: String, isOpen: Bool) throws {
    try send("GET / \(head)\r\n\r\n")
    try answer(HTTPResponse(status: .ok, headerFields: [.contentLength: "3"]), ["abc"])
    #expect(try sent() == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\(field)\r\nabc")
    #expect(channel.isActive == isOpen)
  }

  @Test func testAnswerToHead_HasNoBody() throws {
    try send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
    try answer(HTTPResponse(status: .ok, headerFields: [.contentLength: "3"]), ["abc"])
    #expect(try sent() == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
    // Nor has one that is refused here.
    try send("HEAD / HTTP/1.1\r\n\r\n")
    let refusal = try sent()
    #expect(refusal.hasPrefix("HTTP/1.1 400 Bad Request\r\n") && refusal.hasSuffix("\r\n\r\n"), "\(refusal)")
    #expect(!channel.isActive)
  }

  @Test func testAnswerThatIsShorterThanItSays_EndsTheConnection() throws {
    try send(Self.request + Self.request)
    try answer(HTTPResponse(status: .ok, headerFields: [.contentLength: "4"]), ["abc"])
    #expect(!channel.isActive)
  }

  // MARK: - Bodies

  @Test func testBody_IsAskedForAndHandedOnWhole() throws {
    try send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-Continue\r\n\r\n")
    #expect(try sent() == "HTTP/1.1 100 Continue\r\n\r\n")
    try send("ab")
    #expect(try next() == nil)
    try send("cd")
    #expect(try sent() == "")
    let request = try #require(try channel.readInbound(as: ReceivedRequest.self))
    #expect(String(buffer: request.body) == "abcd")
  }

  @Test(arguments: ["POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0", "POST / HTTP/1.0\r\nContent-Length: 1"])
  func testBodyThatDoesNotCome_IsNotAskedFor(head: String) throws {
    try send("\(head)\r\nExpect: 100-continue\r\n\r\n")
    #expect(try sent() == "")
    #expect(channel.isActive)
  }

  @Test func testBodyThatIsTooLarge_IsRefusedAtOnce() throws {
    try send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9900000000\r\nExpect: 100-continue\r\n\r\n")
    let refusal = try sent()
    #expect(refusal.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"), "\(refusal)")
    #expect(refusal.contains("\r\nConnection: close\r\n"))
    #expect(refusal.contains("\r\nDate: Tue, 14 Nov 2023 22:13:20 GMT\r\n"))
    #expect(refusal.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
    #expect(!channel.isActive)
  }

  // MARK: - Time

  @Test func testSilence_IsEndedAfterTenSecondsWithoutAWord() throws {
    loop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    loop.advanceTime(by: .seconds(2))
    #expect(!channel.isActive)
    #expect(try sent() == "")
  }

  @Test(arguments: ["G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX-", "\r\n"], ["a", "X: a\r\n", ""])
  func testHeadThatDrips_IsEndedAfterTenSeconds(first: String, drop: String) throws {
    try send(first)
    // Only what a request may have there.
    let isEmpty = drop.isEmpty || first == "\r\n" || (first == "G" && drop.contains(":"))
    for _ in 0..<3 {
      loop.advanceTime(by: .seconds(3))
      if !isEmpty { try send(drop) }
      #expect(channel.isActive)
    }
    loop.advanceTime(by: .seconds(2))
    #expect(!channel.isActive)
    #expect(try sent().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
  }

  @Test(arguments: [("Content-Length: 100", "x"), ("Transfer-Encoding: chunked", "1\r\nx\r\n")])
  func testBodyThatDrips_IsEndedAfterHalfAMinute(field: String, drop: String) throws {
    loop.advanceTime(by: .seconds(5))
    try send("POST / HTTP/1.1\r\nHost: x\r\n\(field)\r\n\r\n")
    for _ in 0..<4 {
      loop.advanceTime(by: .seconds(6))
      try send(drop)
      #expect(channel.isActive)
    }
    loop.advanceTime(by: .seconds(2))
    #expect(!channel.isActive)
    #expect(try sent().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    #expect(try next() == nil)
  }

  @Test func testLaterRequest_HasItsOwnTenSeconds() throws {
    try send(Self.request)
    loop.advanceTime(by: .seconds(300))
    try answer()
    loop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    try send("GET")
    loop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    loop.advanceTime(by: .seconds(2))
    #expect(!channel.isActive)
  }

  @Test func testConnectionBetweenRequests_IsKeptForAMinute() throws {
    try send(Self.request)
    try answer()
    _ = try sent()
    loop.advanceTime(by: .seconds(61))
    #expect(!channel.isActive)
    #expect(try sent() == "")
  }

  @Test func testTimeOfTheHandshake_IsNotThatOfTheRequest() throws {
    loop.advanceTime(by: .seconds(9))
    channel.pipeline.fireUserInboundEventTriggered(TLSHandshakeCompleted())
    loop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    loop.advanceTime(by: .seconds(2))
    #expect(!channel.isActive)
  }

  @Test func testAnswerThatNobodyTakes_IsGivenUp() throws {
    try send(Self.request)
    setWritable(false)
    loop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    setWritable(true)
    loop.advanceTime(by: .seconds(120))
    #expect(channel.isActive)
    setWritable(false)
    loop.advanceTime(by: .seconds(61))
    #expect(!channel.isActive)
  }

  // MARK: - Ends

  @Test func testRequestThatIsCutOff_IsRefused() throws {
    try send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(try sent().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(!channel.isActive)
  }

  @Test func testServerThatEnds_AnswersWhatItHas() throws {
    try send(Self.request)
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(channel.isActive)
    try answer()
    #expect(try sent() == "HTTP/1.1 204 No Content\r\n\r\n")
    #expect(!channel.isActive)
  }

  @Test func testServerThatEnds_WaitsForNoRequest() throws {
    try send("GET")
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(!channel.isActive)
  }

  @Test func testConnection_IsCountedUntilItEnds() throws {
    #expect(connections.counts.open == 1)
    try channel.close().wait()
    #expect(connections.counts.open == 0)
  }
}
