/// A limit of the time to wait for a task, in real time.
enum TimeLimit {
  /// Returns when the task has ended or `limit` is over. The task itself continues.
  static func wait<Value: Sendable>(for task: Task<Value, Never>, atMost limit: Duration) async {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    let waiting = Task {
      _ = await task.value
      continuation.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: limit)
      continuation.finish()
    }
    for await _ in end {}
    waiting.cancel()
    timer.cancel()
  }
}
