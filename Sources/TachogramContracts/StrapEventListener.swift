import TachogramCore

/// A listener that collects the events of a radio source until its end.
actor StrapEventListener {
  private struct Waiter {
    let condition: @Sendable ([Int: Int]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private(set) var events: [StrapEvent] = []
  /// The number of notifications so far, by strap.
  private var counts: [Int: Int] = [:]
  private var hasEnded = false
  private var waiters: [Waiter] = []
  private var listening: Task<Void, Never>?

  /// Waits until a number of notifications of all straps were received, or the stream has ended.
  nonisolated var heard: RadioSourceSubject.Heard {
    { count in await self.wait { $0.values.reduce(0, +) >= count } }
  }

  /// Starts listening.
  func listen(to source: any RadioSourceProtocol) {
    let stream = source.events()
    listening = Task {
      for await event in stream { self.handle(event) }
      self.streamEnded()
    }
  }

  /// Stops listening without stopping the source.
  func leave() async {
    listening?.cancel()
    await listening?.value
  }

  /// Waits for the end of the stream and returns all events.
  func end() async -> [StrapEvent] {
    await listening?.value
    return events
  }

  /// Waits until the numbers of notifications meet a condition, or the stream has ended.
  func wait(_ condition: @escaping @Sendable (_ notifications: [Int: Int]) -> Bool) async {
    if hasEnded || condition(counts) { return }
    await withCheckedContinuation { waiters.append(Waiter(condition: condition, continuation: $0)) }
  }

  private func handle(_ event: StrapEvent) {
    events.append(event)
    guard case .notification = event.content else { return }
    counts[event.strap, default: 0] += 1
    wake()
  }

  private func streamEnded() {
    hasEnded = true
    wake()
  }

  private func wake() {
    let ready = waiters.filter { hasEnded || $0.condition(counts) }
    waiters.removeAll { hasEnded || $0.condition(counts) }
    for waiter in ready { waiter.continuation.resume() }
  }
}
