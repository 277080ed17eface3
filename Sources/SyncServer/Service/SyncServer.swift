import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Sync
import TachogramCore

/// Serves a store of sealed chunks by HTTP.
package struct SyncServer: Service {
  /// The number of wrong tokens a minute after which a network has to wait. Tokens that were valid before do not.
  private static let wrongTokens = 20.0
  /// The maximum time for a request to arrive. A client that sends 150 kbit/s needs two minutes for the longest.
  private static let requestTime = TimeAmount.seconds(180)

  /// A station keeps one connection open that waits for changes. A clinic has a hundred behind one address.
  private static let connections = ConnectionLimits(total: 2048, network: 256)

  private let options: SyncServerOptions
  private let database: any SyncDatabaseProtocol
  private let time: any TimeSourceProtocol
  private let report: @Sendable (SyncIncident) -> Void
  private let onRunning: @Sendable (_ port: Int) async -> Void

  /// `report` receives incidents. `onRunning` is called with the port when the server is running.
  package init(
    _ options: SyncServerOptions, database: any SyncDatabaseProtocol, time: any TimeSourceProtocol,
    report: @escaping @Sendable (SyncIncident) -> Void,
    onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) {
    (self.options, self.database, self.time) = (options, database, time)
    (self.report, self.onRunning) = (report, onRunning)
  }

  package func run() async throws {
    let hub = ChangeHub(time: time)
    let budget = BodyBudget()
    let responder = SyncResponder(
      storage: SyncStorage(database), tokens: SyncTokenStorage(database),
      rates: RequestRates(rate: options.rate, capacity: options.rate * 10, time: time),
      failures: RequestRates(rate: Self.wrongTokens / 60, capacity: Self.wrongTokens, time: time), budget: budget,
      hub: hub
    ) { [report] failure in report(.failed(failure)) }
    let connections = Connections(
      limits: Self.connections, time: time
    ) { [report] network in report(.tooManyConnections(from: network)) }
    let limits = RequestLimits(
      largestBody: StoreMessage.longestRequest, requestTime: Self.requestTime
    ) { head, longestBody throws(RequestFailure) in
      try Self.place(for: head, longestBody, in: budget)
    }
    // The listener's own messages are about single connections.
    let quiet = Logger(label: "tachogram.sync") { _ in SwiftLogNoOpLogHandler() }
    let service = try HTTPListener(
      host: options.host, port: options.port, identity: options.identity, connections: connections, limits: limits,
      time: time
    ).service(logger: quiet, onRunning: onRunning) { request, channel in
      await responder.respond(to: request, from: ClientNetwork(channel.remoteAddress).description)
    }
    try await withGracefulShutdownHandler {
      try await service.run()
    } onGracefulShutdown: {
      hub.finish()
    }
  }

  /// Returns the place in memory that a request and its answer need, if it is more than a few KiB.
  private static func place(
    for head: HTTPRequest, _ longestBody: Int, in budget: BodyBudget
  ) throws(RequestFailure) -> (any Sendable)? {
    let answer = head.method == .get && (head.path?.contains("/logs/") ?? false) ? 2 * StoreMessage.mostBytes : 0
    guard longestBody + answer > 16 * 1024 else { return nil }
    let token = head.headerFields[.authorization].flatMap { SyncTokenSecret(authorization: $0)?.digest }
    guard let place = budget.place(for: token, count: longestBody + answer) else { throw .busy }
    return place
  }
}
