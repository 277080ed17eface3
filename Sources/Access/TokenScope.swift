/// The requests that a token allows.
package enum TokenScope: String, Codable, CaseIterable, Sendable {
  /// All requests.
  case full
  /// Reading live and stored values; no change, deletion, pairing or export.
  case read

  /// Whether this scope includes all requests of another.
  package func includes(_ other: TokenScope) -> Bool { self == .full || other == .read }
}
