import HTTPTypes

/// The headers of every answer that protect a browser.
package enum SecurityHeaders {
  /// What an answer is used for.
  package enum Use: Sendable {
    /// A page, or a part of one, that no other page embeds.
    case page
    /// A page that the pages of some origins may show in a frame, and to which the program that shows it may add a style element,
    /// as OBS does. Styles load nothing from other origins.
    case styledFrame(origins: [String])
    /// A picture with styles of its own and without any other content, which the pages of some origins may show in a frame.
    case picture(origins: [String])

    /// The origins that may show the answer in a frame.
    fileprivate var origins: [String] {
      switch self {
      case .page: []
      case .styledFrame(let origins), .picture(let origins): origins
      }
    }

    fileprivate var policy: String {
      let sources =
        switch self {
        case .page: Self.pageSources
        case .styledFrame: Self.pageSources + ["style-src-elem 'self' 'unsafe-inline'"]
        // The style element of an SVG document.
        case .picture: ["default-src 'none'", "style-src 'unsafe-inline'"]
        }
      let ancestors = origins.isEmpty ? "'none'" : origins.joined(separator: " ")
      return (sources + ["base-uri 'none'", "form-action 'none'", "frame-ancestors \(ancestors)"]).joined(
        separator: "; ")
    }

    private static let pageSources = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
      "font-src 'self'", "manifest-src 'self'",
    ]
  }

  private static let pagePolicy = Use.page.policy
  private static let embedding = HTTPField.Name("Cross-Origin-Resource-Policy")

  private static let fields = named([
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
  ])

  private static func named(_ fields: [(String, String)]) -> [HTTPField] {
    fields.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
  }

  /// Adds the headers. `X-Frame-Options` is omitted where frames are allowed, since it cannot name origins.
  package static func add(to headers: inout HTTPFields, for use: Use = .page) {
    let policy = if case .page = use { pagePolicy } else { use.policy }
    for field in fields { headers[field.name] = field.value }
    for field in named([("Content-Security-Policy", policy)]) { headers[field.name] = field.value }
    if use.origins.isEmpty { for field in named([("X-Frame-Options", "DENY")]) { headers[field.name] = field.value } }
    if let embedding, headers[embedding] == nil { headers[embedding] = "same-origin" }
  }

  /// Allows pages of all origins to show the answer as a picture. They cannot read it.
  package static func allowOtherOrigins(_ headers: inout HTTPFields) {
    if let embedding { headers[embedding] = "cross-origin" }
  }
}
