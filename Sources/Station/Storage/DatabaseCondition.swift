import Synchronization
import TachogramCore

/// The condition of the database and its snapshots, found by maintenance and by deletions.
final class DatabaseCondition: Sendable {
  struct Values: Sendable {
    /// The damage of the database with advice, or `nil` if none was found.
    var damage: String?
    var lastSnapshot: WallTime?
    /// The reason why there is no new snapshot.
    var snapshotProblem: String?
    /// Whether snapshots contain deleted data.
    var hasStaleCopies = false
  }

  private let values: Mutex<Values>

  init(_ values: Values = Values()) {
    self.values = Mutex(values)
  }

  /// The current values.
  var now: Values { values.withLock { $0 } }

  /// Records a check of the whole database and its damage.
  func wasLookedAt(_ damage: String?) {
    values.withLock { $0.damage = damage }
  }

  /// Records a snapshot of an undamaged database.
  func wasCopied(at time: WallTime?) {
    values.withLock { ($0.lastSnapshot, $0.snapshotProblem) = (time, nil) }
  }

  /// Records the reason why no snapshot was made, or `nil` if the database is damaged, see `wasLookedAt`.
  func wasNotCopied(_ problem: String?) {
    values.withLock { $0.snapshotProblem = problem }
  }

  /// Records a possible deletion, whose data is still in the snapshots.
  func deletionCame() {
    values.withLock { $0.hasStaleCopies = true }
  }

  /// Records that the snapshots are being renewed; later deletions need another renewal.
  func renewalBegan() {
    values.withLock { $0.hasStaleCopies = false }
  }
}
