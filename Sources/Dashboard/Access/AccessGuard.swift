import Access
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
  let failures: FailedTokenCounter
  let report: @Sendable (DashboardIncident) -> Void

  func handle(
    _ request: Request, context: DashboardContext,
    next: (Request, DashboardContext) async throws -> Response,
  ) async throws -> Response {
    let route = context.endpointPath ?? ""
    let isPage = page.contains(route)
    let question = AccessControl.Question(
      method: request.method.rawValue, host: request.head.authority, origin: request.headers[.origin],
      site: request.headers.text("sec-fetch-site"), authorization: request.headers[.authorization],
      cookie: request.cookies[access.cookie]?.value, isPage: isPage, isOpen: isPage || open.contains(route),
      scope: scope(of: request.method, route))
    let hasToken = question.authorization != nil || question.cookie != nil
    if access.tokens != nil, hasToken, !question.isOpen, failures.isBarred(context.place) { return Self.wait }
    switch try access.answer(question) {
    case .allowed(let grant):
      var context = context
      context.grant = grant
      return try await next(request, context)
    case .forbidden(let reason): return Responses.failure(.forbidden, reason)
    case .missingToken: return Self.unauthorized("a token is needed; `tachogram token` on the station shows it.")
    case .readOnlyToken:
      return Responses.failure(.forbidden, "this token only reads; a full token is needed for this request.")
    case .wrongToken:
      failures.add(context.place)
      report(.wrongToken(from: context.place))
      return Self.unauthorized("the token is wrong; `tachogram token` on the station shows it.")
    }
  }

  private func scope(of method: HTTPRequest.Method, _ route: String) -> TokenScope {
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
