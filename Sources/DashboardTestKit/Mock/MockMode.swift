/// The behaviour of a mock station.
package enum MockMode: String, Sendable, CaseIterable {
  /// Two straps are received.
  case normal
  /// One strap is received.
  case single
  /// The recording of one strap was stopped, and of the other an average is received from advertisements.
  case unrecorded
  /// The streams of events stay open but send nothing.
  case silent
  /// The straps are connected but silent.
  case stale
  /// There are no straps, sessions or people.
  case empty
}
