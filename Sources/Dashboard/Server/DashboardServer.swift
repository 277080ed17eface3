import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import TLS
import TachogramCore

/// Serves the page, what it asks for and what it is told.
package struct DashboardServer: Service {
  /// Where and for whom.
  package struct Options: Sendable {
    /// An address of this machine, or a name of one.
    package var host: String
    /// 0 for any that is free.
    package var port: Int
    package var access: AccessControl
    /// Who the station is; `nil` for connections without TLS.
    package var identity: CurrentIdentity?

    package init(host: String, port: Int, access: AccessControl, identity: CurrentIdentity? = nil) {
      self.host = host
      self.port = port
      self.access = access
      self.identity = identity
    }
  }

  /// Between two signs of life, where nothing else is told.
  private static let beat: Duration = .seconds(2)
  /// Connections at a time; more wait. One with TLS may need ten times the memory.
  private static let (mostConnections, mostSecureConnections) = (2048, 512)

  private static var connections: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [ConnectionLimits()], idleTimeout: .seconds(60),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 8 * 1024, maxHeaderListSize: 16 * 1024, maxHeaderFieldCount: 64))
  }

  private let options: Options
  private let backend: any DashboardBackend
  private let feed: EventFeed
  private let time: any TimeSourceProtocol
  private let logger: Logger
  private let report: @Sendable (DashboardIncident) -> Void
  private let onRunning: @Sendable (_ port: Int) async -> Void

  /// `logger` is for what the server itself tells of each connection; `report` is told what went wrong; `onRunning` is called with the port when the server answers.
  package init(
    _ options: Options, backend: any DashboardBackend, feed: EventFeed, time: any TimeSourceProtocol, logger: Logger,
    report: @escaping @Sendable (DashboardIncident) -> Void = { _ in },
    onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in },
  ) {
    self.options = options
    self.backend = backend
    self.feed = feed
    self.time = time
    self.logger = logger
    self.report = report
    self.onRunning = onRunning
  }

  package func run() async throws {
    let application = Application(
      router: router(),
      server: HTTPServerBuilder { [options] responder in
        let plain = HTTP1Channel(responder: responder, configuration: Self.connections)
        return if let identity = options.identity { TLSServerChannel(base: plain, identity: identity) } else { plain }
      },
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port),
        availableConnectionsDelegate: MaximumAvailableConnections(
          options.identity == nil ? Self.mostConnections : Self.mostSecureConnections)),
      onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? options.port) }, logger: logger)
    try await withGracefulShutdownHandler {
      let beating = Task { await beat() }
      defer { beating.cancel() }
      do {
        try await application.run()
      } catch {
        throw AddressFailure(error, options.host, options.port) ?? error
      }
    } onGracefulShutdown: {
      // Streams would keep the server from its end.
      feed.finish()
    }
  }

  private func beat() async {
    while (try? await Task.sleep(for: Self.beat)) != nil { feed.beat() }
  }

  /// What answers requests.
  package func router() -> Router<DashboardContext> {
    let router = Router(context: DashboardContext.self, options: .autoGenerateHeadEndpoints)
    let failures = FailedTokenCounter(time: time)
    router.add(middleware: AnswerGuard(report: report))
    let files = PageFiles()
    router.add(
      middleware: AccessGuard(
        access: options.access, open: files.routes + StationRoutes.open, failures: failures, report: report))
    let bare = Router(context: DashboardContext.self)
    addRoutes(to: bare, files, failures)
    router.add(middleware: MethodGuard(bare, streams: [LiveRoutes.events, StoredRoutes.export]))
    addRoutes(to: router, files, failures)
    return router
  }

  private func addRoutes(to router: Router<DashboardContext>, _ files: PageFiles, _ failures: FailedTokenCounter) {
    files.add(to: router)
    StationRoutes(backend: backend, access: options.access, failures: failures, report: report).add(to: router)
    LiveRoutes(backend: backend, feed: feed).add(to: router)
    StoredRoutes(backend: backend).add(to: router)
  }
}
