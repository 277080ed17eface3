import NIOCore
import NIOPosix

/// A client that sends arbitrary bytes and reads the answers until the server closes.
package enum RawClient {
  /// Returns all bytes that the server sends until it closes. Each of `pieces` is sent in a separate write. With `ends`, this
  /// side is closed after them.
  package static func exchange(port: Int, _ pieces: [String], ends: Bool = false) async throws -> String {
    try await connection(port) { inbound, outbound in
      for piece in pieces { try await outbound.write(ByteBuffer(string: piece)) }
      if ends { outbound.finish() }
      var received = ByteBuffer()
      do {
        for try await bytes in inbound { received.writeImmutableBuffer(bytes) }
      } catch is IOError {
        // The server closed without reading all bytes.
      }
      return String(buffer: received)
    }
  }

  /// Opens a connection while `body` runs.
  package static func connection<Result: Sendable>(
    _ port: Int,
    _ body: (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Result
  ) async throws -> Result {
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
    let channel = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
      channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
          wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
      }
    }
    return try await channel.executeThenClose(body)
  }

  /// Holds `count` connections open while `body` runs, and sends `text` on each. With `untilAnswered`, waits for the first
  /// bytes received on each before opening the next.
  package static func holding<Result: Sendable>(
    port: Int, count: Int, _ text: String, untilAnswered: Bool = false, _ body: () async throws -> Result
  ) async throws -> Result {
    var channels: [any Channel] = []
    for _ in 0..<count {
      let answered = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self)
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(FirstBytes(answered))
          }
        }.connect(host: "127.0.0.1", port: port).get()
      channels.append(channel)
      try await channel.writeAndFlush(ByteBuffer(string: text))
      if untilAnswered { try await answered.futureResult.get() }
    }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    for channel in channels { try? await channel.close() }
    return try result.get()
  }

  /// A handler that fulfils a promise with the first bytes received, or at the end.
  private final class FirstBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<Void>

    init(_ promise: EventLoopPromise<Void>) {
      self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { promise.succeed() }

    func channelInactive(context: ChannelHandlerContext) {
      promise.succeed()
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
