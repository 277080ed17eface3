import TachogramCore

/// The last beats of a session, and what its sums were before each of them: a ring buffer in one allocation. A beat that
/// has left the longest window makes room for the next one, so that the memory follows what the windows hold and stays as
/// it is from then on. A copy shares it until one of the two is written to, and then costs a copy of it.
struct BeatHistory: Sendable {
  struct Slot: Sendable {
    /// When the interval that the beat ends did end.
    var time: MonotonicTime
    /// The interval that the beat ends; 0 for a gap.
    var milliseconds: Double
    /// The sums of the session before the beat's interval was added, and after its pair with the beat before it was.
    var sumsBefore: TimeDomainAccumulator
    /// The time that intervals before this one do not cover, in units of 2⁻³² ms. It wraps: only differences count.
    var uncoveredBefore: Int64
    /// Artifacts before this one. It wraps.
    var artifactsBefore: UInt32
    /// By how much intervals before this one count for more than they are. It wraps.
    var surplusBefore: UInt16
    /// Whether there is a gap before it.
    var followsGap: Bool
    /// Whether it is no interval, but a gap itself.
    var isGap: Bool
  }

  /// Slots of the first allocation: a capture may hold thousands of short sessions.
  private static let firstSlots = 16

  /// Beats in it.
  private(set) var count = 0
  private var slots: ContiguousArray<Slot> = []
  /// Where the oldest beat is.
  private var first = 0
  private let span: Int64
  private let capacity: Int

  /// Keeps the beats that ended less than `span` microseconds before the last one, and no more than `capacity`.
  init(span: Int64, capacity: Int) {
    precondition(span > 0 && capacity > 0)
    self.span = span
    self.capacity = capacity
  }

  /// Adds a beat; the oldest goes when it has left the span, or when there is no room. Times do not decrease.
  @inline(__always)
  mutating func append(_ slot: Slot) {
    // One for one: the ring never grows while its oldest beat may go.
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

  /// Twice the slots, the beats at the beginning of them.
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

  /// Slots that take memory.
  var allocated: Int { slots.count }

  /// When the last interval ended.
  var lastTime: MonotonicTime? { count > 0 ? self[count - 1].time : nil }

  /// The position of the first beat that ended after `time`; `count` when there is none. Times do not decrease.
  func firstPosition(after time: MonotonicTime) -> Int {
    // All of them, for the longest window.
    if count > 0, slots[first].time > time { return 0 }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The slot of the beat at `position` ≤ `count`, where `count` is the next one's.
  @inline(__always)
  private func index(_ position: Int) -> Int {
    let index = first + position
    return index < slots.count ? index : index - slots.count
  }
}
