import Pipeline
import Repository
import TachogramCore

/// Sessions of which the ledger alone was stored, for want of space, until their recording ended. One that is still
/// recorded is derived by its recorder.
package struct PendingDerivations {
  /// How long ago a recording may have been cut off for another one to go on with its session.
  static let longestInterruption: Duration = .seconds(3_600)

  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// The oldest session with pending rows and that no recording may go on with; none of `running`.
  package func next(at now: WallTime, except running: Set<String>) throws -> String? {
    try SessionRepository(database: database).pendingDerivations().map(\.session).first { record in
      !running.contains(record.description.id)
        && now.duration(since: record.end).magnitude > Self.longestInterruption
    }?.description.id
  }

  /// Derives the pending rows of a session, and closes it in order.
  package func derive(_ session: String) throws {
    try Self.derive(session, isOver: true, in: database)
  }

  /// Stores what derives from the stored ledger of a session, in place of what was stored of that.
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
