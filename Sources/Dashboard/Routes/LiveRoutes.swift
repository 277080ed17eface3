import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore
import TachogramCore

/// The routes of the current values of straps.
struct LiveRoutes {
  static let events: RouterPath = "/api/v1/events"
  /// The time between two keep-alive messages, if nothing else is sent.
  private static let keepAliveInterval: Duration = .seconds(2)

  let backend: any DashboardBackend
  let feed: EventFeed
  let connections: Connections
  let access: AccessControl

  func add(to router: Router<DashboardContext>) {
    router.get("/api/v1/live") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(await backend.live())
    }
    router.get(Self.events) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try events(after: request.headers.text("last-event-id"), context)
    }
  }

  private func events(after last: String?, _ context: DashboardContext) throws -> Response {
    guard let place = connections.beginStream(context.network) else {
      throw DashboardError(.busy, "there are too many streams of events from your address; close some pages.")
    }
    var headers = HTTPFields()
    headers[.contentType] = "text/event-stream"
    headers[.cacheControl] = "no-store"
    let channel = context.channel
    let grant = context.grant
    let body = ResponseBody { [feed, backend, access] writer in
      defer { withExtendedLifetime(place) {} }
      // The channel is closed without waiting, since a client that reads nothing would keep its connection open forever.
      let reader = feed.reader(after: last) { channel.close(promise: nil) }
      defer { feed.leave(reader) }
      if feed.beginKeepAlive() {
        Task { while (try? await Task.sleep(for: Self.keepAliveInterval)) != nil, feed.sendKeepAlive() {} }
      }
      if reader.needsAll { try await writer.write(feed.first(await backend.live())) }
      for await buffer in reader.stream {
        // The token may have been revoked.
        guard access.isValid(grant) else { break }
        try await writer.write(buffer)
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}
