/// A kind of data that can be deleted separately.
package enum DataCategory: String, Hashable, Sendable, CaseIterable {
  /// Sessions, with all rows that derive from them.
  case sessions
  /// Stress levels, including those without a session. The recordings are kept.
  case stress
  /// HRV windows; they can be derived again.
  case windows
}
