/// The two clocks, and waiting. Injected wherever time passes, so that tests decide how fast it does.
package protocol TimeSourceProtocol: Sendable {
  /// Both clocks now.
  func now() -> (monotonic: MonotonicTime, wall: WallTime)

  /// Returns at `time`, or throws `CancellationError` when the task is cancelled before.
  func sleep(until time: MonotonicTime) async throws
}
