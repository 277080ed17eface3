import HTTPServer
import Hummingbird

/// Adds the security headers to every answer, and converts errors to answers.
struct SecurityHeadersMiddleware: RouterMiddleware {
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
    SecurityHeaders.add(to: &response.headers)
    return response
  }
}
