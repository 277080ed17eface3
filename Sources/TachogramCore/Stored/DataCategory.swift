/// Kinds of data that can be deleted by themselves.
package enum DataCategory: String, Hashable, Sendable, CaseIterable {
  /// Sessions, with all that derives from them.
  case sessions
  /// Stress levels, those of no session too. What was recorded stays.
  case stress
  /// HRV windows; they can be derived again.
  case windows
}
