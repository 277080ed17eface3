import Hummingbird

/// Has one way to write a path: the router takes one with slashes too many for the one without them, which others on the way
/// here, as a proxy with rules, take for another.
struct PathGuard: RouterMiddleware {
  func handle(
    _ request: Request, context: DashboardContext,
    next: (Request, DashboardContext) async throws -> Response,
  ) async throws -> Response {
    let path = request.head.path?.prefix { $0 != "?" } ?? "/"
    guard path == "/" || !(path.hasSuffix("/") || path.contains("//")) else {
      throw DashboardError.notFound("there is no such path; it has a slash too many.")
    }
    return try await next(request, context)
  }
}
