import Access
import HTTPServer
import Hummingbird
import Logging
import ServiceLifecycle
import TLS
import TachogramCore

/// Serves the page, its requests and its event stream.
package struct DashboardServer: Service {
  /// The address of the server, and the access to it.
  package struct Options: Sendable {
    /// An address of this machine, or a name of one.
    package var host: String
    /// The port; 0 for any free port.
    package var port: Int
    package var access: AccessControl
    /// The identity of the station, or `nil` for connections without TLS.
    package var identity: CurrentIdentity?
    package var limits: ConnectionLimits
    /// The origins whose pages may show glances and the overlay in a frame.
    package var frameOrigins: [String]

    /// `limits` defaults to the limits of the station.
    package init(
      host: String, port: Int, access: AccessControl, identity: CurrentIdentity? = nil,
      limits: ConnectionLimits? = nil, frameOrigins: [String] = [],
    ) {
      self.host = host
      self.port = port
      self.access = access
      self.identity = identity
      self.limits = limits ?? ConnectionLimits(isSecure: identity != nil)
      self.frameOrigins = frameOrigins
    }
  }

  private let options: Options
  private let backend: any DashboardBackend
  private let feed: EventFeed
  private let connections: Connections
  private let time: any TimeSourceProtocol
  private let logger: Logger
  private let report: @Sendable (DashboardIncident) -> Void
  private let onRunning: @Sendable (_ port: Int) async -> Void

  /// `logger` receives the server's messages about each connection. `report` receives errors. `onRunning` is called with the
  /// port when the server is running.
  package init(
    _ options: Options, backend: any DashboardBackend, feed: EventFeed, time: any TimeSourceProtocol, logger: Logger,
    report: @escaping @Sendable (DashboardIncident) -> Void = { _ in },
    onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in },
  ) {
    self.options = options
    self.backend = backend
    self.feed = feed
    connections = Connections(limits: options.limits, time: time) { report(.tooManyConnections(from: $0)) }
    self.time = time
    self.logger = logger
    self.report = report
    self.onRunning = onRunning
  }

  package func run() async throws {
    let server = try server()
    try await withGracefulShutdownHandler {
      do {
        try await server.run()
      } catch {
        throw AddressFailure(error, options.host, options.port) ?? error
      }
    } onGracefulShutdown: {
      // Open streams would delay the shutdown.
      feed.finish()
    }
  }

  private func server() throws -> any Service {
    let responder = responder()
    return try HTTPListener(
      host: options.host, port: options.port, identity: options.identity, connections: connections, time: time
    ).service(logger: logger, onRunning: onRunning) { request, channel in
      let context = DashboardContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
      do {
        return try await responder.respond(to: request, context: context)
      } catch {
        // `SecurityHeadersMiddleware` has already converted any error that reached it to an answer.
        return Response(status: .internalServerError)
      }
    }
  }

  /// Returns the responder to all requests.
  package func responder() -> some HTTPResponder<DashboardContext> { HeadResponder(router().buildResponder()) }

  /// The routes that need a full token even for reading.
  private static let restricted =
    AccessRoutes.restricted + SnapshotRoutes.restricted + [
      StoredRoutes.export, StoredRoutes.exportOfRange, PairingRoutes.state, DoctorRoutes.findings,
      DoctorRoutes.diagnosis, SyncRoutes.state,
    ]

  /// The scopes of the routes that have their own.
  private static let scopes = Dictionary(
    uniqueKeysWithValues: [
      (GlanceRoutes.glance, TokenScope.glance), (OverlayRoutes.page, .overlay), (OverlayRoutes.events, .overlay),
      (StationRoutes.metrics, .metrics),
    ].map { ($0.0.description, $0.1) })

  private var uses: [String: SecurityHeaders.Use] {
    [
      GlanceRoutes.glance.description: .picture(origins: options.frameOrigins),
      OverlayRoutes.page.description: .styledFrame(origins: options.frameOrigins),
    ]
  }

  /// Returns the router of GET, POST, PATCH and DELETE. It does not include HEAD.
  package func router() -> Router<DashboardContext> {
    let router = Router(context: DashboardContext.self)
    let failures = FailedTokenCounter(time: time)
    router.add(middleware: SecurityHeadersMiddleware(uses: uses, report: report))
    let files = PageFiles()
    router.add(
      middleware: AccessGuard(
        access: options.access, page: Set(files.routes.map(\.description)),
        open: Set([StationRoutes.health, AccessRoutes.login].map(\.description)),
        shared: Set(AccessRoutes.shared.map(\.description)),
        restricted: Set(Self.restricted.map(\.description)), scopes: Self.scopes,
        allowsFrames: !options.frameOrigins.isEmpty, failures: failures, report: report))
    let bare = Router(context: DashboardContext.self)
    addRoutes(to: bare, files, failures)
    router.add(middleware: MethodGuard(bare))
    addRoutes(to: router, files, failures)
    return router
  }

  private func addRoutes(to router: Router<DashboardContext>, _ files: PageFiles, _ failures: FailedTokenCounter) {
    files.add(to: router)
    AccessRoutes(backend: backend, access: options.access, failures: failures, report: report).add(to: router)
    DoctorRoutes(backend: backend).add(to: router)
    SyncRoutes(backend: backend).add(to: router)
    SnapshotRoutes(backend: backend.snapshots).add(to: router)
    NightRoutes(backend: backend.nights).add(to: router)
    ReadingRoutes(backend: backend.readings).add(to: router)
    SessionEditRoutes(backend: backend.edits).add(to: router)
    SettingsRoutes(backend: backend).add(to: router)
    PairingRoutes(backend: backend, access: options.access).add(to: router)
    StationRoutes(backend: backend, connections: connections).add(to: router)
    let stream = FeedStream(feed: feed, connections: connections, access: options.access)
    LiveRoutes(backend: backend, stream: stream).add(to: router)
    GlanceRoutes(backend: backend.glances).add(to: router)
    OverlayRoutes(backend: backend, stream: stream, document: files.text(of: "overlay.html")).add(to: router)
    StoredRoutes(backend: backend, access: options.access).add(to: router)
  }
}
