import Dashboard
import HTTPServer
import Logging
import TachogramCore
import TachogramTestKit

/// The page's server on a free port of loopback, run as the station runs it.
package struct ListeningServer: Sendable {
  package let backend: FakeBackend
  package let feed = EventFeed(started: WallTime(microseconds: 0))
  private let access: AccessControl
  private let limits: ConnectionLimits?

  /// Creates a server. `limits` are those of the station by default.
  package init(_ backend: FakeBackend = FakeBackend(), token: String? = nil, limits: ConnectionLimits? = nil) {
    self.backend = backend
    self.limits = limits
    access = AccessControl(token: token)
  }

  /// Runs the server while `body` runs, which is called with the port.
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable (_ port: Int) async throws -> Result
  ) async throws
    -> Result
  {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let server = DashboardServer(
      DashboardServer.Options(host: "127.0.0.1", port: 0, access: access, limits: limits), backend: backend, feed: feed,
      time: ManualTimeSource(), logger: logger,
      onRunning: { port in
        continuation.yield(port)
        continuation.finish()
      })
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask {
        defer { continuation.finish() }
        try await server.run()
        return nil
      }
      group.addTask {
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        return try await body(port)
      }
      defer { group.cancelAll() }
      while let result = try await group.next() {
        if let result { return result }
      }
      throw CancellationError()
    }
  }
}
