import ServiceLifecycle

/// Does something at a fixed pace until the station is asked to end.
struct PeriodicService: Service {
  let interval: Duration
  let body: @Sendable () async -> Void

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await body()
        try await Task.sleep(for: interval)
      }
    }
  }
}
