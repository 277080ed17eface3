import ServiceLifecycle
import TachogramCore

/// Publishes readings when they become stale. It wakes when the first one may become stale, and not at all while none is
/// current.
struct StaleWatch: Service {
  /// Publishes the readings that have become stale.
  let watch: @Sendable () -> Void
  /// Returns when the first of the current readings becomes stale, or `nil` if none is current.
  let nextStale: @Sendable () -> MonotonicTime?
  /// Has an element when a reading has become current.
  let revivals: AsyncStream<Void>
  let time: any TimeSourceProtocol

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      var revivals = revivals.makeAsyncIterator()
      while !Task.isCancelled {
        watch()
        if let stale = nextStale() {
          try await time.sleep(until: stale)
        } else if await revivals.next() == nil {
          return
        }
      }
    }
  }
}
