import Logging
import ServiceLifecycle
import Sync
import SyncHTTPStore
import SyncServer
import TLS
import TachogramCore
import TachogramTestKit

/// A sync server on a free port of loopback, over a database of a test.
package struct TestServer: Sendable {
  package let port: Int
  package let database: any SyncDatabaseProtocol
  package let authorities: String?

  /// The address with the name for which its certificate is.
  package var address: String { "\(authorities == nil ? "http" : "https")://localhost:\(port)" }

  /// Runs a server while `body` runs, and stops it in order.
  package static func run<Result: Sendable>(
    over database: any SyncDatabaseProtocol, rate: Double = 100_000, time: any TimeSourceProtocol = SystemTimeSource(),
    identity: CurrentIdentity? = nil, authorities: String? = nil, incidents: IncidentList = IncidentList(),
    _ body: @escaping @Sendable (TestServer) async throws -> Result
  ) async throws -> Result {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    var options = SyncServerOptions()
    (options.port, options.rate, options.identity) = (0, rate, identity)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let server = SyncServer(options, database: database, time: time, report: { incidents.append($0) }) { port in
      continuation.yield(port)
      continuation.finish()
    }
    let group = ServiceGroup(
      configuration: .init(services: [.init(service: server)], gracefulShutdownSignals: [], logger: logger))
    return try await withThrowingTaskGroup(of: Result?.self) { tasks in
      tasks.addTask {
        defer { continuation.finish() }
        try await group.run()
        return nil
      }
      tasks.addTask {
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        let server = TestServer(port: port, database: database, authorities: authorities)
        do {
          let result = try await body(server)
          await group.triggerGracefulShutdown()
          return result
        } catch {
          await group.triggerGracefulShutdown()
          throw error
        }
      }
      var result: Result?
      while let next = try await tasks.next() { result = next ?? result }
      guard let result else { throw CancellationError() }
      return result
    }
  }

  /// Adds a token. Returns its secret.
  package func token(_ name: String, quota: Int64? = nil) async throws -> String {
    let secret = SyncTokenSecret()
    try await SyncTokenStorage(database).add(SyncToken(name: name, digest: secret.digest, quota: quota, created: 0))
    return secret.text
  }

  /// A client that connects again.
  package func store(_ token: String) -> HTTPStore {
    HTTPStore(HTTPStore.Options(address: address, token: token, authorities: authorities))
  }
}
