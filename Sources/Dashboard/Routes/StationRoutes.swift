import Access
import HTTPServer
import Hummingbird
import TachogramCore

/// The routes of the station's status and its straps.
struct StationRoutes {
  /// The route that needs no token.
  static let health: RouterPath = "/healthz"
  static let metrics: RouterPath = "/metrics"

  let backend: any DashboardBackend
  let connections: Connections

  func add(to router: Router<DashboardContext>) {
    router.get(Self.health) { _, _ in
      // This route needs no token, so the answer does not describe the problem.
      let isWell = await backend.problem() == nil
      return Responses.text(
        isWell ? "ok\n" : "the station has a problem; see /api/v1/status\n", type: "text/plain; charset=utf-8",
        status: isWell ? .ok : .serviceUnavailable)
    }
    router.get(Self.metrics) { _, context in
      let scope = context.grant?.token.scope ?? .full
      let mayIncludeHeart = [.full, .metrics].contains(scope)
      return Responses.text(
        Metric.text(try await backend.metrics(mayIncludeHeart: mayIncludeHeart) + connectionMetrics),
        type: "application/openmetrics-text; version=1.0.0; charset=utf-8")
    }
    router.get("/api/v1/status") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(try await backend.status())
    }
    addStraps(to: router)
  }

  private var connectionMetrics: [Metric] {
    let (open, closed) = connections.counts
    return [
      Metric("tachogram_http_connections", .gauge, "Connections to the page.", [Metric.Sample(Double(open))]),
      Metric(
        "tachogram_http_connections_refused", .counter, "Connections that were closed because there were too many.",
        [Metric.Sample(Double(closed))]),
    ]
  }

  private func addStraps(to router: Router<DashboardContext>) {
    router.get("/api/v1/straps") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(API.Straps(straps: try await backend.straps()))
    }
    router.patch("/api/v1/straps/:address") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      let address = try reader.address()
      return try Responses.json(try await backend.change(strap: address, try await reader.body(API.StrapChange.self)))
    }
    router.delete("/api/v1/straps/:address") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      try await backend.forget(strap: try reader.address())
      return Responses.nothing
    }
  }
}
