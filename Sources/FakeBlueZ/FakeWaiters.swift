/// Who waits for a condition on the state of the fake.
struct FakeWaiters {
  private struct Waiter {
    let condition: @Sendable (FakeWorld) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private var waiters: [Int: Waiter] = [:]
  private var next = 0

  /// A number for somebody who is going to wait.
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

  /// Wakes those whose condition has come.
  mutating func check(_ world: FakeWorld) {
    for (number, waiter) in waiters where waiter.condition(world) {
      waiters[number] = nil
      waiter.continuation.resume(returning: true)
    }
  }

  /// Ends one wait, because its condition will not come.
  mutating func giveUp(_ number: Int) {
    waiters.removeValue(forKey: number)?.continuation.resume(returning: false)
  }

  mutating func giveUpAll() {
    for number in waiters.keys { giveUp(number) }
  }
}
