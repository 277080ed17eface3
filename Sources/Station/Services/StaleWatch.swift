import ServiceLifecycle
import TachogramCore

/// Publishes readings when they become stale. It wakes when the first one may become stale, and not at all while none is
/// current.
struct StaleWatch: Service {
  let hub: LiveHub
  let time: any TimeSourceProtocol

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      var revivals = hub.revivals.makeAsyncIterator()
      while !Task.isCancelled {
        hub.watch()
        if let stale = hub.nextStale() {
          try await time.sleep(until: stale)
        } else if await revivals.next() == nil {
          return
        }
      }
    }
  }
}
