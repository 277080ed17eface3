/// The tasks that wait for a condition on the state of the fake.
struct FakeWaiters {
  private struct Waiter {
    let condition: @Sendable (FakeWorld) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private var waiters: [Int: Waiter] = [:]
  private var next = 0

  /// Returns a number for a new waiter.
  mutating func number() -> Int {
    next += 1
    return next
  }

  mutating func add(
    _ number: Int, _ condition: @escaping @Sendable (FakeWorld) -> Bool,
    _ continuation: CheckedContinuation<Bool, Never>,
  ) {
    waiters[number] = Waiter(condition: condition, continuation: continuation)
  }

  /// Resumes the waiters whose condition is met.
  mutating func check(_ world: FakeWorld) {
    for (number, waiter) in waiters where waiter.condition(world) {
      waiters[number] = nil
      waiter.continuation.resume(returning: true)
    }
  }

  /// Ends one wait whose condition will not be met.
  mutating func giveUp(_ number: Int) {
    waiters.removeValue(forKey: number)?.continuation.resume(returning: false)
  }

  mutating func giveUpAll() {
    for number in waiters.keys { giveUp(number) }
  }
}
