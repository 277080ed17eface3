import Sync
import Synchronization
import TachogramCore

/// Those who wait for changes of spaces.
final class ChangeHub: Sendable {
  /// Someone who waits. The wait ends with this object.
  final class Waiter: Sendable {
    private let stream: AsyncStream<Void>
    private let time: any TimeSourceProtocol
    private let leave: @Sendable () -> Void

    fileprivate init(
      _ stream: AsyncStream<Void>, _ time: any TimeSourceProtocol, leave: @escaping @Sendable () -> Void
    ) {
      (self.stream, self.time, self.leave) = (stream, time, leave)
    }

    /// Returns after the first change since the waiter exists, after a time, or when the task is cancelled.
    func wait(atMost longest: Duration) async {
      let end = time.now().monotonic.advanced(by: longest)
      let timeout = Task { [leave, time] in
        try? await time.sleep(until: end)
        leave()
      }
      for await _ in stream { break }
      timeout.cancel()
    }

    deinit {
      leave()
    }
  }

  private struct State {
    var waiters: [SpaceID: [Int: AsyncStream<Void>.Continuation]] = [:]
    var counts: [ContentDigest: Int] = [:]
    var last = 0
    var isFinished = false
  }

  /// The maximum number of simultaneous waits of a token.
  private let most: Int
  private let time: any TimeSourceProtocol
  private let state = Mutex(State())

  init(most: Int = 16, time: any TimeSourceProtocol) {
    (self.most, self.time) = (most, time)
  }

  /// Returns a waiter for changes of a space, or `nil` if the token has too many.
  func waiter(for space: SpaceID, token: ContentDigest) -> Waiter? {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      guard state.counts[token, default: 0] < most else { return nil }
      state.counts[token, default: 0] += 1
      state.last += 1
      if state.isFinished { continuation.finish() }
      state.waiters[space, default: [:]][state.last] = continuation
      return state.last
    }
    guard let number else { return nil }
    return Waiter(stream, time) { [weak self] in self?.remove(number, space, token) }
  }

  private func remove(_ number: Int, _ space: SpaceID, _ token: ContentDigest) {
    let continuation = state.withLock { state -> AsyncStream<Void>.Continuation? in
      guard let continuation = state.waiters[space]?.removeValue(forKey: number) else { return nil }
      if state.waiters[space]?.isEmpty == true { state.waiters[space] = nil }
      let left = state.counts[token, default: 0] - 1
      state.counts[token] = left > 0 ? left : nil
      return continuation
    }
    continuation?.finish()
  }

  /// Ends all waits for a space.
  func reportChange(of space: SpaceID) {
    let waiters = state.withLock { state in Array((state.waiters[space] ?? [:]).values) }
    for waiter in waiters { waiter.yield() }
  }

  /// Ends all waits, and those to come.
  func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      return state.waiters.values.flatMap(\.values)
    }
    for waiter in waiters { waiter.finish() }
  }
}
