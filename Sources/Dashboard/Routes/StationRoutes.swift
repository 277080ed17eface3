import Hummingbird
import TachogramCore

/// The routes of the station's status, its straps and the login.
struct StationRoutes {
  private static let health: RouterPath = "/healthz"
  private static let login: RouterPath = "/api/v1/login"
  /// The routes that need no token.
  static let open = [health, login]

  let backend: any DashboardBackend
  let access: AccessControl
  let connections: Connections
  let failures: FailedTokenCounter
  let report: @Sendable (DashboardIncident) -> Void

  func add(to router: Router<DashboardContext>) {
    router.get(Self.health) { _, _ in
      // This route needs no token, so the answer does not describe the problem.
      let isWell = await backend.problem() == nil
      return Responses.text(
        isWell ? "ok\n" : "the station has a problem; see /api/v1/status\n", type: "text/plain; charset=utf-8",
        status: isWell ? .ok : .serviceUnavailable)
    }
    router.get("/metrics") { _, _ in
      Responses.text(
        Metric.text(try await backend.metrics() + connections.metrics),
        type: "application/openmetrics-text; version=1.0.0; charset=utf-8")
    }
    router.get("/api/v1/status") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(try await backend.status())
    }
    router.post(Self.login) { request, context in try await logIn(request, context) }
    addStraps(to: router)
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

  private func logIn(_ request: Request, _ context: DashboardContext) async throws -> Response {
    let reader = RequestReader(request: request, context: context)
    try reader.allow()
    if failures.isBarred(context.place) { return AccessGuard.wait }
    let given = try await reader.body(API.Login.self).token
    guard access.accepts(given) else {
      failures.add(context.place)
      report(.wrongToken(from: context.place))
      return AccessGuard.unauthorized("the token is wrong; `tachogram token` on the station shows it.")
    }
    failures.forget(context.place)
    var answer = Responses.nothing
    if access.token != nil {
      answer.setCookie(
        Cookie(
          name: access.cookie, value: given, maxAge: 365 * 86_400, path: "/", secure: access.isSecure,
          httpOnly: true, sameSite: .strict))
      // A cookie set before TLS was configured would still be sent unencrypted.
      if access.isSecure { answer.setCookie(Cookie(name: AccessControl.plainCookie, value: "", maxAge: 0, path: "/")) }
    }
    return answer
  }
}
