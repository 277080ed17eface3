/// The reason why a readiness is not available.
package enum ReadinessShortage: Hashable, Sendable {
  /// Too few mornings with a reading among the last 7 days.
  case week(count: Int, minimum: Int)
  /// Too few mornings with a reading among the 60 days.
  case normalRange(count: Int, minimum: Int)
}
