/// A clock that advances the time on the air in step with real time until it is deallocated.
final class FakeClock: Sendable {
  private let task: Task<Void, any Error>

  /// Calls `pass` every `interval` with the time since the last call.
  init(every interval: Duration, _ pass: @escaping @Sendable (Duration) async -> Void) {
    task = Task {
      var last = ContinuousClock.now
      while true {
        try await Task.sleep(for: interval)
        let now = ContinuousClock.now
        await pass(now - last)
        last = now
      }
    }
  }

  deinit {
    task.cancel()
  }
}
