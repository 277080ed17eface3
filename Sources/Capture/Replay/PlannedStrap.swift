import TachogramCore

/// A strap that a capture holds heart-rate notifications of.
package struct PlannedStrap: Hashable, Sendable {
  package var identity: StrapIdentity
  /// Its links with heart-rate notifications, in the order in which they begin to notify: a connection whose handle of heart
  /// rate changes is several.
  package var links: [StrapLink] = []
  /// Heart-rate notifications in all of them, which are replayed.
  package var notifications = 0
  /// Heart-rate notifications that are not replayed.
  package var leftOut = LeftOutCounts()
  /// Handles of heart rate that discovery gave another meaning, with the notifications on them since, by handle.
  package var reassigned: [UInt16: Int] = [:]
}
