import Synchronization
import TachogramCore

/// Remembers what sessions that have ended amount to: it rests on hundreds of windows of each, and does not change unless
/// the session is derived anew.
package final class SessionMeans: Sendable {
  private static let capacity = 2000

  private let known = Mutex<[SessionRecord: SessionSummary.Means]>([:])

  package init() {}

  /// The means of a session, computed where they are not known.
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
