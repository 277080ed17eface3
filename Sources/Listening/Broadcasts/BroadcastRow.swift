import BlueZ
import Presentation
import TachogramCore

/// A broadcasting strap at an instant.
package struct BroadcastRow: Hashable, Sendable {
  package let strap: String
  package let last: HeardBroadcast
  /// The time since its last broadcast, in seconds.
  package let age: Double

  /// When it becomes stale without another broadcast.
  package var staleTime: MonotonicTime {
    last.monotonic.advanced(byMicroseconds: Int64(LiveReading.staleAfter * 1e6))
  }

  /// Whether its last broadcast is too old to be current.
  package var isStale: Bool { age >= LiveReading.staleAfter }
}
