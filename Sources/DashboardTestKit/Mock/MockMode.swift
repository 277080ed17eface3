/// What a mock station does.
package enum MockMode: String, Sendable, CaseIterable {
  /// Two straps are heard.
  case normal
  /// One strap is.
  case single
  /// The streams of events stay open, and nothing comes.
  case silent
  /// The straps are not heard.
  case stale
  /// There is no strap, no session and nobody.
  case empty
}
