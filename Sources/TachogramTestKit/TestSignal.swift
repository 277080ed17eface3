/// A counter whose value a test can wait for.
package actor TestSignal {
  package private(set) var count = 0
  private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  package init() {}

  package func raise() {
    count += 1
    for waiter in waiters where count >= waiter.count { waiter.continuation.resume() }
    waiters.removeAll { count >= $0.count }
  }

  package func wait(for count: Int) async {
    if self.count >= count { return }
    await withCheckedContinuation { waiters.append((count, $0)) }
  }
}
