import TachogramCore

/// A strap with heart-rate notifications in a capture.
package struct PlannedStrap: Hashable, Sendable {
  package var identity: StrapIdentity
  /// The links with heart-rate notifications, in the order of their first notifications. A connection whose heart-rate handle
  /// changes has several links.
  package var links: [StrapLink] = []
  /// The number of replayed heart-rate notifications on all links.
  package var notifications = 0
  /// The heart-rate notifications that are not replayed.
  package var leftOut = LeftOutCounts()
  /// The number of notifications on handles that discovery reassigned from heart rate to something else, by handle.
  package var reassigned: [UInt16: Int] = [:]
}
