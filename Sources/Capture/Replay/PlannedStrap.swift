import TachogramCore

/// A strap that a capture holds heart-rate notifications of.
package struct PlannedStrap: Hashable, Sendable {
  package var identity: StrapIdentity
  /// Its connections with heart-rate notifications, in order.
  package var links: [StrapLink] = []
  /// Heart-rate notifications in all of them.
  package var notifications = 0
}
