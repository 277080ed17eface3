/// Lets time pass on the air as it passes here, as long as it is kept.
final class FakeClock: Sendable {
  private let task: Task<Void, any Error>

  /// Calls `pass` every `interval`, with what has passed since the last time.
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
