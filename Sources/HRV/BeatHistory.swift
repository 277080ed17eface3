import TachogramCore

/// The last beats of a session, and what its sums were before each of them: a ring buffer over two allocations. A
/// copy shares them until one of the two is written to, and then costs a copy of them.
struct BeatHistory: Sendable {
  struct Slot: Sendable {
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
  private var slots: ContiguousArray<Slot>
  /// When the intervals ended; apart from the slots, because searches look at nothing else.
  private var times: ContiguousArray<MonotonicTime>
  /// Where the next beat goes.
  private var next: Int

  init(capacity: Int, startSlot: Int) {
    precondition(capacity > 0 && (0..<capacity).contains(startSlot))
    let empty = Slot(milliseconds: 0, sumsBefore: TimeDomainAccumulator(), artifactsBefore: 0, followsGap: false)
    slots = ContiguousArray(repeating: empty, count: capacity)
    times = ContiguousArray(repeating: MonotonicTime(microseconds: 0), count: capacity)
    next = startSlot
  }

  /// Adds the beat whose interval ended at `time`; the oldest goes when there is no room.
  @inline(__always)
  mutating func append(_ slot: Slot, at time: MonotonicTime) {
    slots[next] = slot
    times[next] = time
    next = next + 1 < slots.count ? next + 1 : 0
    if count < slots.count { count += 1 }
  }

  /// The beat at `position`, counted from the oldest.
  subscript(position: Int) -> Slot { slots[index(position)] }

  /// When the interval of the beat at `position` ended.
  func time(_ position: Int) -> MonotonicTime { times[index(position)] }

  /// When the last interval ended.
  var lastTime: MonotonicTime? { count > 0 ? time(count - 1) : nil }

  /// The position of the first beat that ended after `time`; `count` when there is none. Times do not decrease.
  func firstPosition(after time: MonotonicTime) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.time(middle) > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The slot of the beat at `position` < `count`.
  private func index(_ position: Int) -> Int {
    let distance = count - position
    return next >= distance ? next - distance : next - distance + slots.count
  }
}
