import Dispatch
import Repository
import TachogramCore

/// Stores sessions on a dedicated thread, so that a slow disk does not delay anything else. Pieces from a cancelled task are
/// stored too, which the asynchronous writes of the database would refuse: a recording is ended by cancelling its task.
final class LedgerWriter: Sendable {
  private let database: TachogramDatabase
  private let repository: SessionRepository
  private let queue = DispatchQueue(label: "tachogram.ledger")

  init(database: TachogramDatabase) {
    self.database = database
    repository = SessionRepository(database: database)
  }

  /// Stores pieces of several sessions in one transaction, each with the new data about its strap, or not at all. Returns the
  /// reason why each was refused, in the same order. Throws the error that prevented storing any of them, so that the attempt
  /// can be repeated.
  func store(_ pieces: [SessionPiece]) async throws(RepositoryError) -> [RepositoryError?] {
    try await run { repository throws(RepositoryError) in try repository.store(pieces) }
  }

  /// Stores the pending rows derived from the stored ledger of a session, and closes the session if it is over.
  func derive(_ session: String, isOver: Bool) async throws(RepositoryError) {
    try await run { [database] _ throws(RepositoryError) in
      do {
        try PendingDerivations.derive(session, isOver: isOver, in: database)
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

  private func run<Value: Sendable>(
    _ body: @escaping @Sendable (SessionRepository) throws(RepositoryError) -> Value,
  ) async throws(RepositoryError) -> Value {
    let result: Result<Value, RepositoryError> = await withCheckedContinuation { continuation in
      queue.async { [repository] in
        do throws(RepositoryError) {
          continuation.resume(returning: .success(try body(repository)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
