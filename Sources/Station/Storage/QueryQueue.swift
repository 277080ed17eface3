import Dashboard
import Dispatch
import Synchronization

/// Runs work on the database one after the other on a thread of its own: what people look at, and maintenance, never take a thread
/// from what is recorded.
final class QueryQueue: Sendable {
  /// That wait. Connections that are given up leave their questions behind.
  private static let most = 1024

  private let submit: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let waiting = Mutex(0)

  private init(submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.submit = submit
  }

  /// For questions that somebody waits for.
  convenience init() {
    let queue = DispatchQueue(label: "tachogram.queries", qos: .utility)
    self.init { job in queue.async(execute: job) }
  }

  /// For work that may take longer where others have something to do.
  static func background() -> QueryQueue {
    let thread = BackgroundThread(name: "tachogram.maintenance")
    return QueryQueue { job in thread.submit(job) }
  }

  /// Throws `DashboardError` of the kind `busy` where too much waits already.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let isFree = waiting.withLock { count in
      if count >= Self.most { return false }
      count += 1
      return true
    }
    guard isFree else { throw DashboardError(.busy, "the station has too many questions to answer; ask again later.") }
    return try await withCheckedThrowingContinuation { continuation in
      submit { [self] in
        let result = Result { try body() }
        waiting.withLock { $0 -= 1 }
        continuation.resume(with: result)
      }
    }
  }
}
