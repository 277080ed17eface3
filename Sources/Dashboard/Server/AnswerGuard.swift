import HTTPTypes
import Hummingbird

/// Puts what protects a browser on every answer, and makes answers of errors.
struct AnswerGuard: RouterMiddleware {
  let report: @Sendable (DashboardIncident) -> Void

  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "font-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private static let fixed: [(String, String)] = [
    ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
  ]

  func handle(
    _ request: Request, context: DashboardContext,
    next: (Request, DashboardContext) async throws -> Response,
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch {
      response = Answers.failure(error)
      if response.status == .internalServerError {
        report(.failed(path: request.uri.path, error: "\(error)"))
      }
    }
    for (name, value) in Self.fixed {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    // A body would be taken for the next answer.
    return request.method == .head ? response.createHeadResponse() : response
  }
}
