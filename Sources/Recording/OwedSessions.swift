import Repository
import TachogramCore

/// Sessions of which the ledger alone was stored, for want of space, until the recording ended. One that is still recorded
/// is derived by its recorder.
package struct OwedSessions {
  private let database: TachogramDatabase
  private let kind: HRVKind

  package init(database: TachogramDatabase, kind: HRVKind) {
    self.database = database
    self.kind = kind
  }

  /// Derives what is owed, and ends the sessions in order. One that a recording may still go on with is left to it. Returns
  /// how many it were.
  package func settle(at now: WallTime, except running: Set<String>) throws -> Int {
    let repository = SessionRepository(database: database)
    let owed = try repository.sessionsWithoutBeatsAtTheEnd().filter { record in
      !running.contains(record.description.id)
        && abs(now.microseconds - record.end.microseconds) > InterruptedSession.patience
    }
    for record in owed { try Self.derive(record.description, kind: kind, isOver: true, in: database) }
    for record in owed { try repository.finish(record.description.id) }
    return owed.count
  }

  /// Stores what derives from the stored ledger of a session, in place of what was stored of that.
  static func derive(
    _ session: SessionDescription, kind: HRVKind, isOver: Bool, in database: TachogramDatabase
  ) throws {
    guard let derivation = try Derivation(of: session, kind: kind, isOver: isOver, in: database) else { return }
    try SessionRepository(database: database).begin(session, with: derivation.batch)
  }
}
