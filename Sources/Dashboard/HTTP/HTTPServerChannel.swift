import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import TLS
import TachogramCore

/// Connections as the server makes them: TLS where the page has it, requests, and what answers them.
struct HTTPServerChannel: ServerChildChannel {
  typealias Value = NIOAsyncChannel<ReceivedRequest, HTTPResponsePart>

  /// What the system keeps of one connection before it is read, in bytes: a client that sends and never reads fills no
  /// more of the memory.
  private static let receiveBuffer = ChannelOptions.Types.SocketOption.Value(64 * 1024)

  let responder: HTTPChannelHandler.Responder
  let connections: Connections
  /// Each connection gets that of the moment.
  let identity: CurrentIdentity?
  let time: any TimeSourceProtocol

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.setOption(.socketOption(.so_rcvbuf), value: Self.receiveBuffer).flatMapErrorThrowing { _ in
      // The client has gone already; that is seen elsewhere.
    }.flatMapThrowing {
      let pipeline = channel.pipeline.syncOperations
      if let identity { try pipeline.addHandler(TLSHandler(identity.value)) }
      try pipeline.addHandler(
        HTTPConnectionHandler(connections: connections, isSecure: identity != nil, time: time))
      return try NIOAsyncChannel(
        wrappingChannelSynchronously: channel,
        // One request at a time.
        configuration: .init(isOutboundHalfClosureEnabled: true))
    }.flatMapErrorThrowing { error in
      channel.close(promise: nil)
      throw error
    }
  }

  func handle(value: Value, logger: Logger) async {
    let channel = value.channel
    do {
      try await withTaskCancellationHandler {
        try await value.executeThenClose { inbound, outbound in
          for try await request in inbound {
            try await responder(
              Request(head: request.head, body: RequestBody(buffer: request.body)), ResponseWriter(outbound: outbound),
              channel)
          }
        }
      } onCancel: {
        channel.close(promise: nil)
      }
    } catch {
      // The client went before it had its answer.
      logger.trace("a connection ended", metadata: ["reason": "\(error)"])
    }
  }
}
