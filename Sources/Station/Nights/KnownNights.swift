import Synchronization

/// The sessions that were seen to be nights.
final class KnownNights: Sendable {
  private let sessions = Mutex<Set<String>>([])

  var all: Set<String> { sessions.withLock { $0 } }

  func add(_ more: [String]) { sessions.withLock { $0.formUnion(more) } }
}
