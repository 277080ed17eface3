import HTTPTypes

/// The headers of every answer that protect a browser.
package enum SecurityHeaders {
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "font-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private static let fields: [HTTPField] = [
    ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
  ].compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }

  package static func add(to headers: inout HTTPFields) {
    for field in fields { headers[field.name] = field.value }
  }
}
