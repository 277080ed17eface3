import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TLS
import TachogramCore

/// Accepts connections at an address and answers their requests. Hummingbird's `Application` is not used, because it wakes up each
/// second to update the date.
package struct HTTPListener: Sendable {
  /// The number of connections accepted beyond the limit, while those that they replace are being closed.
  private static let mostClosing = 256
  /// The number of connections that the system queues until they are accepted. A client whose connection does not fit in the
  /// queue tries again after a second.
  private static let backlog = 1024

  /// An address of this machine, or a name of one.
  private let host: String
  /// The port; 0 for any free port.
  private let port: Int
  private let identity: CurrentIdentity?
  private let connections: Connections
  private let limits: RequestLimits
  private let time: any TimeSourceProtocol

  /// Creates a listener. Connections use TLS if there is an identity.
  package init(
    host: String, port: Int, identity: CurrentIdentity?, connections: Connections,
    limits: RequestLimits = RequestLimits(), time: any TimeSourceProtocol
  ) {
    (self.host, self.port, self.identity) = (host, port, identity)
    (self.connections, self.limits, self.time) = (connections, limits, time)
  }

  /// Returns the service that accepts connections. `logger` receives its messages about each connection. `onRunning` is called
  /// with the port when it is running.
  package func service(
    logger: Logger, onRunning: @escaping @Sendable (_ port: Int) async -> Void,
    respond: @escaping @Sendable (Request, any Channel) async -> Response
  ) throws -> any Service {
    try HTTPServerBuilder { responder in
      HTTPServerChannel(
        responder: responder, connections: connections, limits: limits, identity: identity, time: time)
    }.buildServer(
      configuration: ServerConfiguration(
        address: .hostname(host, port: port), backlog: Self.backlog,
        availableConnectionsDelegate: MaximumAvailableConnections(connections.limits.total + Self.mostClosing)),
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
    ) { request, writer, channel in
      var response = await respond(request, channel)
      response.headers[.date] = HTTPDate.text(time.now().wall)
      try await writer.write(response: response.head, body: response.body)
    } onServerRunning: { channel in
      await onRunning(channel.localAddress?.port ?? port)
    }
  }
}
