import Dispatch
import Repository
import TachogramCore

/// Stores sessions on a thread of its own, so that a slow disk holds up nothing but itself. What a cancelled task
/// hands over is stored too, which the asynchronous writes of the database refuse: the end of a recording is a
/// cancelled task.
final class LedgerWriter: Sendable {
  private let database: TachogramDatabase
  private let repository: SessionRepository
  private let queue = DispatchQueue(label: "tachogram.ledger")

  init(database: TachogramDatabase) {
    self.database = database
    repository = SessionRepository(database: database)
  }

  /// Begins a session, or goes on with one, with its first batch and what is new of the strap: all or nothing, so that
  /// what failed can be tried again.
  func begin(_ session: SessionDescription, with rest: LiveSession.Unstored) async throws(RepositoryError) {
    try await run { repository throws(RepositoryError) in
      try repository.begin(session, with: rest.batch, describing: rest.identity, owing: rest.owed)
    }
  }

  /// Stores a batch and what is new of the strap: both or neither.
  func store(_ rest: LiveSession.Unstored, session: String) async throws(RepositoryError) {
    try await run { repository throws(RepositoryError) in
      try repository.append(rest.batch, to: session, describing: rest.identity, owing: rest.owed)
    }
  }

  /// Stores what derives from the stored ledger of a session that is owed it; closes the session if it is over.
  func derive(_ session: String, isOver: Bool) async throws(RepositoryError) {
    try await run { [database] _ throws(RepositoryError) in
      do {
        try OwedSessions.derive(session, isOver: isOver, in: database)
      } catch let error as RepositoryError {
        throw error
      } catch {
        throw .contradiction(path: database.path, detail: "\(error)")
      }
    }
  }

  /// Marks a session as ended in order.
  func finish(_ session: String) async throws(RepositoryError) {
    try await run { repository throws(RepositoryError) in try repository.finish(session) }
  }

  private func run(
    _ body: @escaping @Sendable (SessionRepository) throws(RepositoryError) -> Void,
  ) async throws(RepositoryError) {
    let result: Result<Void, RepositoryError> = await withCheckedContinuation { continuation in
      queue.async { [repository] in
        do throws(RepositoryError) {
          try body(repository)
          continuation.resume(returning: .success(()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    try result.get()
  }
}
