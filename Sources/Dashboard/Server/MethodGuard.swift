import HTTPTypes
import Hummingbird

/// Says which methods a path has, where a request comes with another (RFC 9110, 15.5.6).
struct MethodGuard: RouterMiddleware {
  private let routes: [(path: RouterPath, method: HTTPRequest.Method)]
  private let streams: [RouterPath]

  /// Knows the routes that `router` has by now. What GET answers with under `streams` has no length that HEAD could tell.
  init(_ router: Router<DashboardContext>, streams: [RouterPath]) {
    routes = router.routes.map { ($0.path, $0.method) }
    self.streams = streams
  }

  func handle(
    _ request: Request, context: DashboardContext,
    next: (Request, DashboardContext) async throws -> Response,
  ) async throws -> Response {
    if request.method == .options, request.head.path == "*" { return serverOptions }
    let allowed = methods(of: request.uri.path)
    if allowed.isEmpty || allowed.contains(request.method.rawValue) { return try await next(request, context) }
    let list = allowed.joined(separator: ", ")
    var answer = Answers.failure(.methodNotAllowed, "this path has no \(request.method); it has \(list).")
    answer.headers[.allow] = list
    return answer
  }

  /// What the server as a whole has (RFC 9110, 9.3.7).
  private var serverOptions: Response {
    let methods = Set(routes.map(\.method.rawValue)).union(["HEAD", "OPTIONS"])
    var answer = Answers.nothing
    answer.headers[.allow] = methods.sorted().joined(separator: ", ")
    return answer
  }

  /// The methods that a path has, in the order of their names; none where there is no such path.
  private func methods(of path: String) -> [String] {
    let parts = path.split(separator: "/")
    let found = routes.filter { route in
      let elements = route.path.components
      return elements.count == parts.count && zip(elements, parts).allSatisfy { $0 ~= $1 }
    }
    let hasHead = found.contains { $0.method == .get && !streams.contains($0.path) }
    return (found.map(\.method) + (hasHead ? [.head] : [])).map(\.rawValue).sorted()
  }
}
