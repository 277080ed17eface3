import Hummingbird
import TachogramCore

/// The routes of the current values of straps.
struct LiveRoutes {
  static let events: RouterPath = "/api/v1/events"

  let backend: any DashboardBackend
  let stream: FeedStream

  func add(to router: Router<DashboardContext>) {
    router.get("/api/v1/live") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(await backend.live())
    }
    router.get(Self.events) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try stream.response(after: request.headers.text("last-event-id"), context) {
        [backend, feed = stream.feed] in
        feed.first(await backend.live())
      } each: {
        $0
      }
    }
  }
}
