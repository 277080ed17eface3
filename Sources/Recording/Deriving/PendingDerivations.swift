import Pipeline
import Repository
import TachogramCore

/// The sessions of which only the ledger was stored, for lack of space, until their recording ended. A session that is still
/// being recorded is derived by its recorder.
package struct PendingDerivations {
  /// The longest time since the end of an interrupted recording after which another one may continue its session.
  package static let longestInterruption: Duration = .seconds(3_600)

  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// Returns the oldest session with pending rows that no recording may continue, excluding those in `running`.
  package func next(at now: WallTime, except running: Set<String>) throws -> String? {
    try SessionRepository(database: database).pendingDerivations().map(\.session).first { record in
      !running.contains(record.description.id)
        && (try? SyncOutbox(database: database).isReceived(record.description.id)) == false
        && now.duration(since: record.end).magnitude > Self.longestInterruption
    }?.description.id
  }

  /// Derives the pending rows of a session, and marks it as ended in order.
  package func derive(_ session: String) throws {
    try Self.derive(session, isOver: true, in: database)
  }

  /// Derives the pending rows of the sessions that came from other stations, and of `others`, which came back from a store, the
  /// newest first. Their stress levels are those of the stations that recorded them. Returns the number of sessions.
  package func deriveReceived(and others: Set<String>) throws -> Int {
    let outbox = SyncOutbox(database: database)
    let pending = try SessionRepository(database: database).pendingDerivations().reversed()
    var count = 0
    for (record, kind) in pending
    where try others.contains(record.description.id) || outbox.isReceived(record.description.id) {
      var deriver = try SessionDeriver(record.description, kind: kind, in: database)
      _ = try deriver.ingestLedger(in: database)
      if record.isComplete { deriver.finish() }
      try SyncInbox(database: database).derive(deriver.drainRows(), of: record.description.id)
      count += 1
    }
    return count
  }

  /// Stores the rows derived from the stored ledger of a session, in place of the previous ones.
  static func derive(_ session: String, isOver: Bool, in database: TachogramDatabase) throws {
    let repository = SessionRepository(database: database)
    guard let pending = try repository.pendingDerivations().first(where: { $0.session.description.id == session })
    else { return }
    var deriver = try SessionDeriver(pending.session.description, kind: pending.kind, in: database)
    guard try deriver.ingestLedger(in: database) != nil else { return }
    if isOver { deriver.finish() }
    try repository.derive(deriver.drainRows(), of: session, isOver: isOver)
  }
}
