/// The faults to apply to method calls, by method name.
struct FakeFaults {
  /// The effect of a fault on a call.
  enum Fault {
    case refuse(FakeBlueZError)
    /// The call is never answered.
    case stall
  }

  private var faults: [String: [(fault: Fault, left: Int)]] = [:]

  /// Applies a fault to the next `times` calls of a method, after the faults added before.
  mutating func add(_ method: String, _ fault: Fault, times: Int) {
    guard times > 0 else { return }
    faults[method, default: []].append((fault, times))
  }

  /// Removes and returns the fault for the next call of a method, if any.
  mutating func next(_ method: String) -> Fault? {
    guard var queue = faults[method], let first = queue.first else { return nil }
    if first.left == 1 { queue.removeFirst() } else { queue[0].left -= 1 }
    faults[method] = queue.isEmpty ? nil : queue
    return first.fault
  }

  mutating func clear() {
    faults.removeAll()
  }
}
