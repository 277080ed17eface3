import ServiceLifecycle
import Synchronization

/// What services did, in its order.
final class ServiceTrace: Sendable {
  private let steps = Mutex<[String]>([])

  var all: [String] { steps.withLock { $0 } }

  func add(_ step: String) { steps.withLock { $0.append(step) } }
}

/// Runs until it is to end, or fails once `begin` has come.
struct TracedService: Service {
  struct Failure: Error, Equatable {
    let name: String
  }

  let name: String
  let trace: ServiceTrace
  /// When it fails; `nil` for a service that does not.
  var failing: AsyncStream<Void>?
  /// Told when it runs.
  let onRunning: @Sendable () -> Void

  func run() async throws {
    trace.add("begin \(name)")
    onRunning()
    if let failing {
      for await _ in failing {}
      trace.add("fail \(name)")
      throw Failure(name: name)
    }
    try await gracefulShutdown()
    trace.add("end \(name)")
  }
}
