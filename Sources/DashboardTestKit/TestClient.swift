import Dashboard
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TachogramCore
import TachogramTestKit

/// A client that sends requests to the server as a browser does, without a network.
package struct TestClient {
  package struct Answer {
    package let status: Int
    package let headers: HTTPFields
    package let body: String

    package func header(_ name: String) -> String? {
      HTTPField.Name(name).flatMap { headers[$0] }
    }
  }

  /// Collects incidents.
  package final class Incidents: Sendable {
    private let all = Mutex<[DashboardIncident]>([])

    package var list: [DashboardIncident] { all.withLock { $0 } }

    fileprivate func add(_ incident: DashboardIncident) { all.withLock { $0.append(incident) } }
  }

  private final class Collected: ResponseBodyWriter {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    func write(_ buffer: ByteBuffer) async throws { bytes.withLock { $0 += buffer.readableBytesView } }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  /// The channel of all request contexts. It is shared, since a channel retains itself until it is closed.
  private static let channel = NIOAsyncTestingChannel()

  /// The routes of the server except the files of the page, as `GET /path`.
  package static var routes: [String] {
    server(FakeBackend(), EventFeed(started: WallTime(microseconds: 0)), ManualTimeSource(), AccessControl(tokens: nil))
      .router().routes
      .map(\.description).filter { route in
        ["/api/", "/healthz", "/metrics", "/glance/", "/overlay"].contains { route.contains(" \($0)") }
          && !route.hasSuffix("/overlay.html")
      }
  }

  package let backend: FakeBackend
  package let feed = EventFeed(started: WallTime(microseconds: 0))
  package let clock = ManualTimeSource()
  /// The incidents that the server has reported.
  package let incidents = Incidents()
  private let responder: any HTTPResponder<DashboardContext>
  private let hasToken: Bool

  package init(_ backend: FakeBackend = FakeBackend(), token: String? = nil, isSecure: Bool = false) {
    self.init(backend, tokens: token.map { FixedTokens($0) }, isSecure: isSecure)
  }

  package init(
    _ backend: FakeBackend = FakeBackend(), tokens: FixedTokens?, isSecure: Bool = false, frameOrigins: [String] = []
  ) {
    self.backend = backend
    hasToken = tokens != nil
    responder = Self.server(
      backend, feed, clock, AccessControl(tokens: tokens, isSecure: isSecure), frameOrigins, incidents
    ).responder()
  }

  private static func server(
    _ backend: FakeBackend, _ feed: EventFeed, _ clock: ManualTimeSource, _ access: AccessControl,
    _ frameOrigins: [String] = [], _ incidents: Incidents = Incidents()
  ) -> DashboardServer {
    DashboardServer(
      DashboardServer.Options(host: "127.0.0.1", port: 0, access: access, frameOrigins: frameOrigins),
      backend: backend, feed: feed, time: clock, logger: logger, report: { incidents.add($0) })
  }

  private static var logger: Logger {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
  }

  package func ask(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, headers: [String: String] = [:],
  ) async throws -> Answer {
    var fields = HTTPFields()
    if body != nil { fields[.contentType] = "application/json" }
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    let head = HTTPRequest(
      method: method, scheme: "http", authority: hasToken ? "pi.local:8620" : "127.0.0.1:8620", path: path,
      headerFields: fields)
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body ?? "")))
    let source = ApplicationRequestContextSource(channel: Self.channel, logger: Self.logger)
    let context = DashboardContext(source: source)
    let response = try await responder.respond(to: request, context: context)
    let collected = Collected()
    try await response.body.write(collected)
    return Answer(
      status: response.status.code, headers: response.headers, body: collected.text)
  }

  package func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
    try await ask(.get, path, headers: headers)
  }
}
