import Pipeline
import Repository
import TachogramCore

/// Sessions of which the ledger alone was stored, for want of space, until their recording ended. One that is still
/// recorded is derived by its recorder.
package struct OwedSessions {
  /// How long ago a recording may have been cut off for another one to go on with its session.
  static let longestInterruption: Duration = .seconds(3_600)

  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// The oldest session that is owed something and that no recording may go on with; none of `running`.
  package func next(at now: WallTime, except running: Set<String>) throws -> String? {
    try SessionRepository(database: database).owedSessions().map(\.session).first { record in
      !running.contains(record.description.id)
        && now.duration(since: record.end).magnitude > Self.longestInterruption
    }?.description.id
  }

  /// Derives what a session is owed, and closes it in order.
  package func settle(_ session: String) throws {
    try Self.derive(session, isOver: true, in: database)
  }

  /// Stores what derives from the stored ledger of a session, in place of what was stored of that.
  static func derive(_ session: String, isOver: Bool, in database: TachogramDatabase) throws {
    let repository = SessionRepository(database: database)
    guard let owed = try repository.owedSessions().first(where: { $0.session.description.id == session })
    else { return }
    var deriver = try SessionDeriver(owed.session.description, kind: owed.kind, in: database)
    guard try deriver.ingestLedger(in: database) != nil else { return }
    if isOver { deriver.finish() }
    try repository.derive(deriver.takeRows(), of: session, isOver: isOver)
  }
}
