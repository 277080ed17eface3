import HTTPServer
import Hummingbird

/// Adds the security headers to every answer, and converts errors to answers.
struct SecurityHeadersMiddleware: RouterMiddleware {
  /// The uses of the answers of routes that other pages may embed.
  let uses: [String: SecurityHeaders.Use]
  let report: @Sendable (DashboardIncident) -> Void

  func handle(
    _ request: Request, context: DashboardContext,
    next: (Request, DashboardContext) async throws -> Response,
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch {
      response = Responses.failure(error)
      if response.status == .internalServerError {
        report(.failed(path: request.uri.path, error: "\(error)"))
      }
    }
    SecurityHeaders.add(to: &response.headers, for: uses[context.endpointPath ?? ""] ?? .page)
    return response
  }
}
