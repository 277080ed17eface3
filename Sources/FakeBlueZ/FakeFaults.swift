/// Faults that method calls are to meet, by the name of the method.
struct FakeFaults {
  /// What happens to a call.
  enum Fault {
    case refuse(FakeBlueZError)
    /// It is never answered.
    case stall
  }

  private var faults: [String: [(fault: Fault, left: Int)]] = [:]

  /// Lets the next `times` calls of a method meet a fault, after those that were asked for before.
  mutating func add(_ method: String, _ fault: Fault, times: Int) {
    guard times > 0 else { return }
    faults[method, default: []].append((fault, times))
  }

  /// The fault that this call meets, if any.
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
