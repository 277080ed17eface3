import Synchronization
import TachogramCore

/// A cache of the means of sessions that have ended. They are computed from hundreds of windows, and change only if the session
/// is derived again.
package final class SessionMeans: Sendable {
  private static let capacity = 2000

  private let known = Mutex<[SessionRecord: SessionSummary.Means]>([:])

  package init() {}

  /// Forgets the means, as after a deletion of windows or levels.
  package func forget() { known.withLock { $0 = [:] } }

  /// Returns the means of a session, computed if they are not cached.
  func means(_ record: SessionRecord, _ compute: () throws -> SessionSummary.Means) rethrows -> SessionSummary.Means {
    guard record.isComplete else { return try compute() }
    if let known = known.withLock({ $0[record] }) { return known }
    let new = try compute()
    known.withLock { known in
      if known.count >= Self.capacity { known = [:] }
      known[record] = new
    }
    return new
  }
}
