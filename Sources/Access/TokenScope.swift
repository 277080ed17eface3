/// The requests that a token allows.
package enum TokenScope: String, Codable, CaseIterable, Sendable {
  /// All requests.
  case full
  /// Reading live and stored values; no change, deletion, pairing or export.
  case read
  /// Glances alone.
  case glance
  /// The overlay and its stream alone.
  case overlay
  /// The metrics for monitoring systems alone.
  case metrics

  /// Whether this scope includes all requests of another.
  package func includes(_ other: TokenScope) -> Bool {
    switch self {
    case .full: true
    case .read: other != .full
    case .glance, .overlay, .metrics: other == self
    }
  }

  /// Whether tokens are accepted in the URLs of the requests that need this scope. A URL remains in histories, configurations and
  /// recordings of a screen, so such a token opens nothing else.
  package var isForURLs: Bool { self == .glance || self == .overlay }

  /// Whether a browser can log in with a token.
  package var isForBrowsers: Bool { self == .full || self == .read }
}
