import TachogramCore

/// The last beats of a session, and what its sums were before each of them: a ring buffer in one allocation, which
/// grows with the beats up to its capacity: a capture may hold thousands of short sessions. A copy shares it until
/// one of the two is written to, and then costs a copy of it.
struct BeatHistory: Sendable {
  struct Slot: Sendable {
    /// When the interval that the beat ends did end.
    var time: MonotonicTime
    /// The interval that the beat ends.
    var milliseconds: Double
    /// The sums of the session before the beat's interval was added, and after its pair with the beat before it was.
    var sumsBefore: TimeDomainAccumulator
    /// Artifacts before this one.
    var artifactsBefore: Int
    /// Whether there is a gap before it.
    var followsGap: Bool
  }

  /// Beats in it.
  private(set) var count = 0
  /// Filled one behind the other up to the capacity, and then around.
  private var slots: ContiguousArray<Slot>
  private let capacity: Int
  /// Where the next beat goes.
  private var next: Int

  init(capacity: Int, startSlot: Int) {
    precondition(capacity > 0 && (0..<capacity).contains(startSlot))
    let empty = Slot(
      time: MonotonicTime(microseconds: 0), milliseconds: 0, sumsBefore: TimeDomainAccumulator(), artifactsBefore: 0,
      followsGap: false)
    slots = ContiguousArray(repeating: empty, count: startSlot)
    self.capacity = capacity
    next = startSlot
  }

  /// Adds a beat; the oldest goes when there is no room.
  @inline(__always)
  mutating func append(_ slot: Slot) {
    if next < slots.count { slots[next] = slot } else { slots.append(slot) }
    next = next + 1 < capacity ? next + 1 : 0
    if count < capacity { count += 1 }
  }

  /// The beat at `position`, counted from the oldest.
  @inline(__always)
  subscript(position: Int) -> Slot { slots[index(position)] }

  /// Slots that take memory.
  var allocated: Int { slots.count }

  /// When the last interval ended.
  var lastTime: MonotonicTime? { count > 0 ? self[count - 1].time : nil }

  /// The position of the first beat that ended after `time`; `count` when there is none. Times do not decrease.
  func firstPosition(after time: MonotonicTime) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The slot of the beat at `position` < `count`.
  @inline(__always)
  private func index(_ position: Int) -> Int {
    let distance = count - position
    return next >= distance ? next - distance : next - distance + capacity
  }
}
