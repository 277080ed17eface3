/// Waiting for conditions.
package enum Eventually {
  /// Returns whether `condition` holds before a deadline that only a failing test reaches.
  package static func holds(
    within time: Duration = .seconds(600), _ condition: @Sendable () async -> Bool
  ) async -> Bool {
    let deadline = ContinuousClock.now + time
    while ContinuousClock.now < deadline {
      if await condition() { return true }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return await condition()
  }
}
