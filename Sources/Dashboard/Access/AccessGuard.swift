import Access
import HTTPServer
import HTTPTypes
import Hummingbird

/// Passes an allowed request on, and answers any other with the reason for its refusal.
struct AccessGuard: RouterMiddleware {
  let access: AccessControl
  /// The routes of the page itself, which contains no data, and the other routes that need no token. They are compared with the
  /// route that the router found, since a path can be written in many ways.
  let page: Set<String>
  let open: Set<String>
  /// The routes that a token of any scope may use with any method, and those that need a full token even for reading.
  let shared: Set<String>
  let restricted: Set<String>
  /// The scopes of the routes that have their own.
  let scopes: [String: TokenScope]
  /// Whether there are origins that may show glances and the overlay in a frame.
  let allowsFrames: Bool
  let failures: FailedTokenCounter
  let report: @Sendable (DashboardIncident) -> Void

  func handle(
    _ request: Request, context: DashboardContext,
    next: (Request, DashboardContext) async throws -> Response,
  ) async throws -> Response {
    let route = context.endpointPath ?? ""
    let isPage = page.contains(route)
    let scope = scope(of: request.method, route)
    let urlToken = scope.isForURLs ? try URLToken(request) : nil
    let question = AccessControl.Question(
      method: request.method.rawValue, host: request.head.authority, origin: request.headers[.origin],
      site: request.headers.text("sec-fetch-site"), authorization: request.headers[.authorization],
      cookie: request.cookies[access.cookie]?.value, urlToken: urlToken?.secret,
      isFrame: scope.isForURLs && allowsFrames && isFrame(request), isPage: isPage,
      isOpen: isPage || open.contains(route), scope: scope)
    switch try access.answer(question) {
    case .allowed(let grant):
      var context = context
      context.grant = grant
      // Nothing behind this guard sees the token.
      var answer = try await next(urlToken?.request ?? request, context)
      // A picture that another page shows. Its token allows it.
      if scope == .glance, urlToken != nil, grant != nil { SecurityHeaders.allowOtherOrigins(&answer.headers) }
      return answer
    case .forbidden(let reason): return Responses.failure(.forbidden, reason)
    case .missingToken: return Self.unauthorized("a token is needed; `tachogram token` on the station shows it.")
    case .otherScope(let scope): return Responses.failure(.forbidden, Self.refusal(scope))
    case .tokenNotForURLs:
      return Responses.failure(
        .forbidden, "this token is not accepted in an address; create one with the scope \(scope.rawValue).")
    case .wrongToken:
      // Valid tokens are not blocked: who shares the address of the one that guesses is not locked out, and tokens are too long to
      // be guessed.
      let place = place(of: question, context)
      if failures.isBarred(place) { return Self.wait }
      failures.add(place)
      report(.wrongToken(from: context.place))
      return Self.unauthorized("the token is wrong; `tachogram token` on the station shows it.")
    }
  }

  /// Returns the key for the counts of wrong tokens. Wrong tokens in URLs that pages of other origins request are counted
  /// separately, so that such a page cannot block the browser that shows it.
  private func place(of question: AccessControl.Question, _ context: DashboardContext) -> String {
    guard question.urlToken != nil, let site = question.site, site != "same-origin", site != "none" else {
      return context.place
    }
    return context.place + " embedded"
  }

  /// Whether a browser requests a document for a frame.
  private func isFrame(_ request: Request) -> Bool {
    guard let destination = request.headers.text("sec-fetch-dest") else { return false }
    return ["iframe", "frame"].contains(destination)
  }

  private static func refusal(_ scope: TokenScope) -> String {
    switch scope {
    case .full, .read: "this token only reads; a full token is needed for this request."
    case .glance: "this token opens glances only."
    case .overlay: "this token opens the overlay only."
    case .metrics: "this token opens /metrics only."
    }
  }

  private func scope(of method: HTTPRequest.Method, _ route: String) -> TokenScope {
    if let scope = scopes[route] { return scope }
    if shared.contains(route) { return .read }
    return [.get, .head].contains(method) && !restricted.contains(route) ? .read : .full
  }

  static var wait: Response {
    var answer = Responses.failure(.tooManyRequests, "too many wrong tokens; wait a minute.")
    answer.headers[.retryAfter] = "60"
    return answer
  }

  static func unauthorized(_ message: String) -> Response {
    var answer = Responses.failure(.unauthorized, message)
    answer.headers[.wwwAuthenticate] = "Bearer"
    return answer
  }
}
