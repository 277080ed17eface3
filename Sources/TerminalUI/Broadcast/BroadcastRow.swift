import BlueZ
import Presentation
import TachogramCore

/// A broadcasting strap at an instant.
package struct BroadcastRow: Hashable, Sendable {
  let strap: String
  let last: HeardBroadcast
  /// The time since its last broadcast, in seconds.
  let age: Double

  /// Whether its last broadcast is too old to be current.
  var isStale: Bool { age >= LiveReading.staleAfter }
}
