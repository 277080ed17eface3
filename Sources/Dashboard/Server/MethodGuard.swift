import HTTPTypes
import Hummingbird

/// Answers OPTIONS, and requests with a method that their path does not support, with the methods of the path (RFC 9110, 9.3.7
/// and 15.5.6).
struct MethodGuard: RouterMiddleware {
  private let routes: [(path: RouterPath, method: HTTPRequest.Method)]

  /// Creates a guard for the routes that `router` currently has.
  init(_ router: Router<DashboardContext>) {
    routes = router.routes.map { ($0.path, $0.method) }
  }

  func handle(
    _ request: Request, context: DashboardContext,
    next: (Request, DashboardContext) async throws -> Response,
  ) async throws -> Response {
    let allowed = request.head.path == "*" ? Set(routes.map(\.method)) : methods(of: request.uri.path)
    if allowed.isEmpty || allowed.contains(request.method) { return try await next(request, context) }
    let list = allowed.union(allowed.contains(.get) ? [.head, .options] : [.options]).map(\.rawValue).sorted()
      .joined(separator: ", ")
    var answer =
      request.method == .options
      ? Responses.nothing
      : Responses.failure(.methodNotAllowed, "this path has no \(request.method); it has \(list).")
    answer.headers[.allow] = list
    return answer
  }

  /// Returns the methods of the routes that match a path; empty if there is no such path.
  private func methods(of path: String) -> Set<HTTPRequest.Method> {
    let parts = path.split(separator: "/")
    let found = routes.filter { route in
      let elements = route.path.components
      return elements.count == parts.count && zip(elements, parts).allSatisfy { $0 ~= $1 }
    }
    return Set(found.map(\.method))
  }
}
