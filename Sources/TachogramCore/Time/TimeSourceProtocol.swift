/// A source of monotonic and civil time that can also wait. It is injected wherever time matters, so that tests control time.
package protocol TimeSourceProtocol: Sendable {
  /// Returns the current time of both clocks.
  func now() -> (monotonic: MonotonicTime, wall: WallTime)

  /// Suspends until `time`. Throws `CancellationError` if the task is cancelled before then.
  func sleep(until time: MonotonicTime) async throws
}
