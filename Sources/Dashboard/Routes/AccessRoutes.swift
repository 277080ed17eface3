import Access
import HTTPServer
import Hummingbird
import TachogramCore

/// The routes of the login and of the tokens.
struct AccessRoutes {
  /// The route that needs no token.
  static let login: RouterPath = "/api/v1/login"
  /// The routes that a token of any scope may use.
  static let shared: [RouterPath] = ["/api/v1/access", "/api/v1/logout"]
  /// The routes that need a full token even for reading.
  static let restricted: [RouterPath] = ["/api/v1/tokens"]

  /// The lifetime of the cookie, in seconds. Browsers limit it to about 400 days.
  private static let cookieAge = 365 * 86_400

  let backend: any DashboardBackend
  let access: AccessControl
  let failures: FailedTokenCounter
  let report: @Sendable (DashboardIncident) -> Void

  func add(to router: Router<DashboardContext>) {
    router.get("/api/v1/access") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(
        API.Access(
          context.grant?.token, isProtected: isProtected(context), isTokenRequired: access.tokens != nil,
          authority: try backend.authority()?.fingerprint))
    }
    router.get("/api/v1/authority") { request, context in
      try RequestReader(request: request, context: context).allow()
      guard let authority = try backend.authority() else {
        throw DashboardError.notFound("the station has no authority of its own.")
      }
      var answer = Responses.text(String(decoding: authority.pem, as: UTF8.self), type: "application/x-x509-ca-cert")
      answer.headers[.contentDisposition] = "attachment; filename=\"tachogram-authority.crt\""
      return answer
    }
    router.post(Self.login) { request, context in try await logIn(request, context) }
    router.post("/api/v1/logout") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try logOut(context)
    }
    addTokens(to: router)
  }

  private func addTokens(to router: Router<DashboardContext>) {
    router.get("/api/v1/tokens") { request, context in
      try RequestReader(request: request, context: context).allow()
      let own = context.grant?.token.id
      return try Responses.json(
        API.Tokens(tokens: try tokens().tokens().map { API.Token($0, isOwn: $0.id == own) }))
    }
    router.post("/api/v1/tokens") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      try checkProtected(context)
      let wanted = try await reader.body(API.NewToken.self)
      do {
        let issued = try tokens().add(wanted.name, wanted.scope)
        return try Responses.json(API.IssuedToken(secret: issued.secret, issued.record))
      } catch let failure as AccessFailure {
        throw try Self.conflict(failure)
      }
    }
    router.delete("/api/v1/tokens/:token") { request, context in
      try RequestReader(request: request, context: context).allow()
      let id = context.parameters.get("token") ?? ""
      guard try tokens().revoke(id) else { throw DashboardError.notFound("there is no token \(id.prefix(40)).") }
      return Responses.nothing
    }
  }

  private func tokens() throws -> any TokenBookProtocol {
    guard let tokens = access.tokens else {
      throw DashboardError(.conflict, "this station requires no token, because only its own machine can connect to it.")
    }
    return tokens
  }

  /// Returns the answer to a failure that the request caused. Throws any other failure.
  private static func conflict(_ failure: AccessFailure) throws -> DashboardError {
    switch failure {
    case .nameTaken, .tooMany: return DashboardError(.conflict, "\(failure).")
    default: throw failure
    }
  }

  // MARK: - Login

  /// Whether nobody on the network can read the answer.
  private func isProtected(_ context: DashboardContext) -> Bool { access.isSecure || context.network.isLoopback }

  private func checkProtected(_ context: DashboardContext) throws {
    guard isProtected(context) else {
      throw HTTPError(.forbidden, message: "this request needs TLS (https), since its answer contains a token.")
    }
  }

  private func logIn(_ request: Request, _ context: DashboardContext) async throws -> Response {
    let reader = RequestReader(request: request, context: context)
    try reader.allow()
    if failures.isBarred(context.place) { return AccessGuard.wait }
    switch try await reader.body(API.Login.self) {
    case .token(let token):
      guard let tokens = access.tokens else { return Responses.nothing }
      guard let record = try tokens.token(token) else {
        return wrong("the token is wrong; `tachogram token` on the station shows it.", context)
      }
      guard record.scope.isForBrowsers else {
        return Responses.failure(
          .forbidden, "nobody logs in with this token; it is for \(record.scope.rawValue) alone.")
      }
      return loggedIn(token, context)
    case .code(let code, let name):
      try checkProtected(context)
      let issued: IssuedToken?
      do {
        issued = try tokens().redeem(code, name: name)
      } catch let failure as AccessFailure {
        throw try Self.conflict(failure)
      }
      guard let issued else {
        return wrong(
          "the code was used already, or is too old; `sudo tachogram open` on the station shows a new one.", context)
      }
      return loggedIn(issued.secret, context)
    }
  }

  private func wrong(_ message: String, _ context: DashboardContext) -> Response {
    failures.add(context.place)
    report(.wrongToken(from: context.place))
    return AccessGuard.unauthorized(message)
  }

  private func loggedIn(_ secret: String, _ context: DashboardContext) -> Response {
    failures.forget(context.place)
    var answer = Responses.nothing
    answer.setCookie(cookie(access.cookie, secret, age: Self.cookieAge))
    // A cookie set before TLS was configured would still be sent unencrypted.
    if access.isSecure { answer.setCookie(Cookie(name: AccessControl.plainCookie, value: "", maxAge: 0, path: "/")) }
    return answer
  }

  /// Removes the cookie. A token that was made for this browser is revoked.
  private func logOut(_ context: DashboardContext) throws -> Response {
    if let token = context.grant?.token, token.id != TokenRecord.stationID { _ = try tokens().revoke(token.id) }
    var answer = Responses.nothing
    answer.setCookie(cookie(access.cookie, "", age: 0))
    return answer
  }

  private func cookie(_ name: String, _ value: String, age: Int) -> Cookie {
    Cookie(
      name: name, value: value, maxAge: age, path: "/", secure: access.isSecure, httpOnly: true, sameSite: .strict)
  }
}
