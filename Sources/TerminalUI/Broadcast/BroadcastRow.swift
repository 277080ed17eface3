import BlueZ
import Presentation
import TachogramCore

/// A strap of which a broadcast was heard, at one instant.
package struct BroadcastRow: Hashable, Sendable {
  let strap: String
  let last: HeardBroadcast
  /// Seconds since it was heard.
  let age: Double

  /// Whether what was heard is too old to stand for now.
  var isStale: Bool { age >= LiveReading.staleAfter }
}
