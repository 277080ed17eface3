import Dashboard
import Dispatch
import Repository
import Synchronization

/// Executes database work in order on its own thread, so that requests and maintenance never occupy a thread that recording
/// needs.
final class QueryQueue: Sendable {
  /// The maximum number of waiting requests. Abandoned connections leave theirs behind.
  private static let most = 1024

  private let submit: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let waiting = Mutex(0)

  private init(submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.submit = submit
  }

  /// Creates a queue for requests that a client waits for.
  convenience init() {
    let queue = DispatchQueue(label: "tachogram.queries", qos: .utility)
    self.init { job in queue.async(execute: job) }
  }

  /// Returns a queue of low priority for work without a waiting client.
  static func background() -> QueryQueue {
    let thread = BackgroundThread(name: "tachogram.maintenance")
    return QueryQueue { job in thread.submit(job) }
  }

  /// Executes `body`. Throws a `DashboardError` of the kind `busy` if too many requests are waiting, and of the kind `conflict`
  /// if the database can only be read, or not even that.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let isFree = waiting.withLock { count in
      if count >= Self.most { return false }
      count += 1
      return true
    }
    guard isFree else { throw DashboardError(.busy, "the station has too many questions to answer; ask again later.") }
    return try await withCheckedThrowingContinuation { continuation in
      submit { [self] in
        let result = Result {
          do {
            return try body()
          } catch let error as RepositoryError {
            switch error {
            case .heldBack, .unavailable, .full, .readOnly, .cannotOpen:
              throw DashboardError(.conflict, error.description)
            default: throw error
            }
          }
        }
        waiting.withLock { $0 -= 1 }
        continuation.resume(with: result)
      }
    }
  }
}
