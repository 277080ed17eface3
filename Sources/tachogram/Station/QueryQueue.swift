import Dispatch

/// Runs work on the database one after the other on a thread of its own: what people look at, and upkeep, never take a thread
/// from what is recorded.
final class QueryQueue: Sendable {
  private let queue = DispatchQueue(label: "tachogram.queries", qos: .utility)

  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }
}
