import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import Dashboard

/// Connections as the server makes them, up to what answers.
@Suite("Connection limits")
struct ConnectionLimitsTests {
  /// Counts what would be read from the network.
  private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Never
    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  private let loop = EmbeddedEventLoop()
  private let channel: EmbeddedChannel
  private let reads = Reads()

  init() throws {
    channel = EmbeddedChannel(loop: loop)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(reads)
    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
    try pipeline.addHandler(ConnectionLimits())
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
  }

  private func send(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
  }

  private func answer() throws {
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .noContent)))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    loop.run()
  }

  private static let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test func testRequestsThatAreAnswered_GoOn() throws {
    for _ in 0..<100 {
      try send(Self.request)
      try answer()
    }
    #expect(channel.isActive)
  }

  @Test func testRequestsThatWait_AreFew() throws {
    for _ in 0..<ConnectionLimits.mostWaiting { try send(Self.request) }
    #expect(channel.isActive)
    try? send(Self.request)
    loop.run()
    #expect(!channel.isActive)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
  ])
  func testOtherProtocol_IsAnsweredAndNothingMoreIsRead(request: String) throws {
    channel.read()
    let before = reads.count
    try send(request)
    channel.read()
    #expect(reads.count == before)
    #expect(channel.isActive)
    try answer()
    #expect(!channel.isActive)
  }

  @Test func testBodyThatDoesNotEnd_IsGivenUp() throws {
    try send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n")
    for _ in 0..<3 {
      loop.advanceTime(by: .seconds(9))
      try send("x")
      #expect(channel.isActive)
    }
    loop.advanceTime(by: .seconds(4))
    #expect(!channel.isActive)
  }

  @Test func testAnswerThatNobodyTakes_IsGivenUp() throws {
    try send(Self.request)
    channel.isWritable = false
    channel.pipeline.fireChannelWritabilityChanged()
    loop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    channel.isWritable = true
    channel.pipeline.fireChannelWritabilityChanged()
    loop.advanceTime(by: .seconds(120))
    #expect(channel.isActive)
    channel.isWritable = false
    channel.pipeline.fireChannelWritabilityChanged()
    loop.advanceTime(by: .seconds(61))
    #expect(!channel.isActive)
  }
}
