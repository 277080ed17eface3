import TachogramCore

/// The beats of the last `length` seconds and their metrics: a ring buffer over one allocation, and exact sums. A beat
/// costs O(1) amortised; the metrics are computed when they are asked for.
///
/// A copy shares the buffer until one of the two is written to, and then costs a copy of it.
package struct HRVSlidingWindow: Sendable {
  private struct Slot: Sendable {
    var nn: NNInterval
    /// When the interval ended.
    var time: MonotonicTime
    /// Whether beats were missed between the interval before and this one.
    var followsGap: Bool
    var isArtifact: Bool
  }

  /// Nominal length in seconds.
  package let length: Int
  /// Beats in the window.
  package private(set) var count = 0
  private var artifactCount = 0
  private var slots: ContiguousArray<Slot>
  /// Slot of the oldest beat.
  private var head: Int
  private var accumulator = TimeDomainAccumulator()

  /// A window of `length` seconds, 1 … 86 400, that holds up to `capacity` beats, at least 1: the default has room for
  /// 300 s at 409 beats per minute. A full window drops its oldest beat, which its coverage then shows. `startSlot` is
  /// the slot that the first beat goes to; tests vary it.
  package init(length: Int, capacity: Int = 2048, startSlot: Int = 0) {
    precondition((1...86_400).contains(length) && capacity > 0 && (0..<capacity).contains(startSlot))
    self.length = length
    self.head = startSlot
    let empty = Slot(
      nn: NNInterval(milliseconds: 0), time: MonotonicTime(microseconds: 0), followsGap: false, isArtifact: false,
    )
    self.slots = ContiguousArray(repeating: empty, count: capacity)
  }

  // MARK: - Adding beats

  /// Adds the beat whose interval ended at `time`, and evicts every beat that ended at or before `time` − `length`.
  /// Times do not decrease from beat to beat. With `followsGap` it forms no pair with the beat before it.
  package mutating func append(_ nn: NNInterval, at time: MonotonicTime, followsGap: Bool, isArtifact: Bool) {
    if count == slots.count { evictOldest() }
    let previous = count > 0 && !followsGap ? slots[slot(count - 1)].nn : nil
    accumulator.add(nn, after: previous)
    slots[slot(count)] = Slot(nn: nn, time: time, followsGap: followsGap, isArtifact: isArtifact)
    count += 1
    artifactCount += isArtifact ? 1 : 0
    let start = time.advanced(byMicroseconds: -span).microseconds
    while count > 0, slots[head].time.microseconds <= start { evictOldest() }
  }

  private mutating func evictOldest() {
    let second = slot(1)
    let next = count > 1 && !slots[second].followsGap ? slots[second].nn : nil
    accumulator.remove(slots[head].nn, before: next)
    artifactCount -= slots[head].isArtifact ? 1 : 0
    head = second
    count -= 1
  }

  /// The slot of the beat at `position`, counted from the oldest; `position` ≤ capacity.
  private func slot(_ position: Int) -> Int {
    let index = head + position
    return index < slots.count ? index : index - slots.count
  }

  // MARK: - Reading

  /// The window as it is at its last beat, which is its end.
  ///
  /// Coverage is the time that intervals cover over the wall span of the window: its length, or the time since
  /// `sessionStart` where that is less. What an interval covers before the span does not count. An empty window ends at
  /// `sessionStart` and covers nothing, as does one whose end is not after it.
  package func snapshot(sessionStart: MonotonicTime) -> HRVWindow {
    let end = count > 0 ? slots[slot(count - 1)].time : sessionStart
    return HRVWindow(
      length: length, end: end, coverage: coverage(end: end, sessionStart: sessionStart),
      artifactShare: count > 0 ? Double(artifactCount) / Double(count) : 0, metrics: accumulator.metrics(),
    )
  }

  private func coverage(end: MonotonicTime, sessionStart: MonotonicTime) -> Double {
    let start = max(end.advanced(byMicroseconds: -span), sessionStart)
    let wall = Double(end.microseconds(since: start)) / 1000
    guard wall > 0 else { return 0 }
    var outside = 0.0
    for position in 0..<count {
      let beat = slots[slot(position)]
      let inside = Double(beat.time.microseconds(since: start)) / 1000
      guard beat.nn.milliseconds > inside else { break }
      outside += min(beat.nn.milliseconds - inside, beat.nn.milliseconds)
    }
    return min(1, max(0, (accumulator.duration - outside) / wall))
  }

  /// The length in microseconds.
  private var span: Int64 { Int64(length) * 1_000_000 }
}
