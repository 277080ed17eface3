import Synchronization
import TachogramCore

/// What is known of the database and of its copies. Maintenance finds it out; whoever deletes says so.
final class DatabaseCondition: Sendable {
  struct Values: Sendable {
    /// What is wrong with the database, and what to do; `nil` when nothing was found.
    var damage: String?
    var lastSnapshot: WallTime?
    /// Why there is no new copy.
    var snapshotProblem: String?
    /// Whether copies of the database hold what was deleted.
    var hasStaleCopies = false
  }

  private let values: Mutex<Values>

  init(_ values: Values = Values()) {
    self.values = Mutex(values)
  }

  /// As it is now.
  var now: Values { values.withLock { $0 } }

  /// The whole database was looked at: `damage` is what is wrong with it.
  func wasLookedAt(_ damage: String?) {
    values.withLock { $0.damage = damage }
  }

  /// A copy of a sound database was made.
  func wasCopied(at time: WallTime?) {
    values.withLock { ($0.lastSnapshot, $0.snapshotProblem) = (time, nil) }
  }

  /// Why no copy was made; `nil` where the database itself was to blame, see `wasLookedAt`.
  func wasNotCopied(_ problem: String?) {
    values.withLock { $0.snapshotProblem = problem }
  }

  /// Something was deleted, or may have been: copies still hold it.
  func deletionCame() {
    values.withLock { $0.hasStaleCopies = true }
  }

  /// Begins to make the copies anew: what is deleted from now on needs others.
  func renewalBegan() {
    values.withLock { $0.hasStaleCopies = false }
  }
}
