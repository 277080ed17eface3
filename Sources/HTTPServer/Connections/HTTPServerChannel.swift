import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import TLS
import TachogramCore

/// Sets up the connections of a server: TLS if it has an identity, the parsing of requests, and their responder.
struct HTTPServerChannel: ServerChildChannel {
  typealias Value = NIOAsyncChannel<ReceivedRequest, HTTPResponsePart>

  /// The size of the system's receive buffer of one connection, in bytes. It bounds the memory used by a client that sends
  /// without reading.
  private static let receiveBuffer = ChannelOptions.Types.SocketOption.Value(64 * 1024)

  let responder: HTTPChannelHandler.Responder
  let connections: Connections
  let limits: RequestLimits
  /// The identity for TLS. Each connection uses its value at the time of setup.
  let identity: CurrentIdentity?
  let time: any TimeSourceProtocol

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.setOption(.socketOption(.so_rcvbuf), value: Self.receiveBuffer).flatMapErrorThrowing { _ in
      // The client has already disconnected, which is handled elsewhere.
    }.flatMapThrowing {
      let pipeline = channel.pipeline.syncOperations
      if let identity { try pipeline.addHandler(TLSHandler(identity.value)) }
      try pipeline.addHandler(
        HTTPConnectionHandler(connections: connections, isSecure: identity != nil, limits: limits, time: time))
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
      // The client disconnected before it received its answer.
      logger.trace("a connection ended", metadata: ["reason": "\(error)"])
    }
  }
}
