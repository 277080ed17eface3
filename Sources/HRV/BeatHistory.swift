import TachogramCore

/// The last beats of a session, with the sums of the session before each of them: a ring buffer in one allocation. A beat that
/// has left the longest window is replaced by the next one, so that the memory grows only until the longest window is full.
/// Copies share the storage until one of them is modified.
struct BeatHistory: Sendable {
  struct Slot: Sendable {
    /// The time of the beat, which is the end of its interval.
    var time: MonotonicTime
    /// The length of the interval that the beat ends, in ms; 0 for a gap.
    var milliseconds: Double
    /// The sums of the session after the beat's pair with its predecessor was added, and before its interval was added.
    var sumsBefore: TimeDomainAccumulator
    /// The time that the preceding intervals do not cover, in units of 2⁻³² ms. It wraps: only differences are meaningful.
    var uncoveredBefore: Int64
    /// The number of preceding artifacts. It wraps.
    var artifactsBefore: UInt32
    /// The sum of `TimedInterval.width` − 1 of the preceding intervals. It wraps.
    var surplusBefore: UInt16
    /// Whether there is a gap before it.
    var followsGap: Bool
    /// Whether the slot is a gap instead of an interval.
    var isGap: Bool
  }

  /// The number of slots of the first allocation. It is small because a capture may contain thousands of short sessions.
  private static let firstSlots = 16

  /// The number of beats.
  private(set) var count = 0
  private var slots: ContiguousArray<Slot> = []
  /// The index of the oldest beat.
  private var first = 0
  private let span: Int64
  private let capacity: Int

  /// Creates a history of the beats that ended less than `span` microseconds before the last one, limited to `capacity` beats.
  init(span: Int64, capacity: Int) {
    precondition(span > 0 && capacity > 0)
    self.span = span
    self.capacity = capacity
  }

  /// Appends a beat. Removes the oldest one if it has left the span or if there is no room. Times must not decrease.
  @inline(__always)
  mutating func append(_ slot: Slot) {
    // One beat replaces another: the ring does not grow while its oldest beat can be removed.
    if count > 0, slots[first].time <= slot.time.advanced(byMicroseconds: -span) {
      dropOldest()
    } else if count == slots.count {
      if count < capacity { grow() } else { dropOldest() }
    }
    slots[index(count)] = slot
    count += 1
  }

  @inline(__always)
  private mutating func dropOldest() {
    first = first + 1 < slots.count ? first + 1 : 0
    count -= 1
  }

  /// Doubles the number of slots, and moves the beats to the beginning.
  private mutating func grow() {
    let empty = Slot(
      time: MonotonicTime(microseconds: 0), milliseconds: 0, sumsBefore: TimeDomainAccumulator(), uncoveredBefore: 0,
      artifactsBefore: 0, surplusBefore: 0, followsGap: false, isGap: false)
    let size = min(capacity, max(Self.firstSlots, slots.count * 2))
    var larger = ContiguousArray<Slot>()
    larger.reserveCapacity(size)
    for position in 0..<count { larger.append(self[position]) }
    larger.append(contentsOf: repeatElement(empty, count: size - count))
    (slots, first) = (larger, 0)
  }

  /// The beat at `position`, counted from the oldest.
  @inline(__always)
  subscript(position: Int) -> Slot { slots[index(position)] }

  /// The number of allocated slots.
  var allocated: Int { slots.count }

  /// The end of the last interval, or `nil` if there are no beats.
  var lastTime: MonotonicTime? { count > 0 ? self[count - 1].time : nil }

  /// Returns the position of the first beat that ended after `time`, or `count` if there is no such beat.
  func firstPosition(after time: MonotonicTime) -> Int {
    // In the longest window, usually all beats are after its start.
    if count > 0, slots[first].time > time { return 0 }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the index of the slot of the beat at `position` ≤ `count`; the position `count` is that of the next beat.
  @inline(__always)
  private func index(_ position: Int) -> Int {
    let index = first + position
    return index < slots.count ? index : index - slots.count
  }
}
